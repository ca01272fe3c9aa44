-- Up Migration
alter table account validate constraint account_mode;
alter table account validate constraint account_sandbox_of;
alter table developer_session validate constraint developer_session_mode;
