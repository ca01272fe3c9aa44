-- Up Migration

drop table guarantee_breach;
drop table guarantee_watch;
