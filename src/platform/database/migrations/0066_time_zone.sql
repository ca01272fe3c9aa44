-- Up Migration

-- The zone in which a developer reads times; null: that of the browser.
alter table developer add column time_zone text,
  add constraint developer_time_zone check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$') not valid;
