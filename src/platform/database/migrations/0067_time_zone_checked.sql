-- Up Migration

alter table developer validate constraint developer_time_zone;
