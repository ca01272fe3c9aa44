-- Up Migration

alter table visit add note text;
