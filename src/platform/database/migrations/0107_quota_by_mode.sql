-- Up Migration
-- A live account has one quota for its live calls, and one for those of all its sandboxes.
delete from quota_day q using account a where a.id = q.account_id and a.mode = 'test';
alter table quota_day
  add column mode text not null default 'live' check (mode in ('live', 'test')),
  drop constraint quota_day_pkey;
alter table quota_day
  alter column mode drop default,
  add primary key (account_id, mode, day);
