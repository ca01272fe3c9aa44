-- Up Migration

alter table developer_session validate constraint developer_session_of_member;
