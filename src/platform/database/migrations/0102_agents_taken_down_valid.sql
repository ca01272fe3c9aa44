-- Up Migration

alter table agent validate constraint agent_taken_down_is_private;
