-- Up Migration

-- A page of the dashboard has its mode in its address.
alter table developer_session drop column mode;
