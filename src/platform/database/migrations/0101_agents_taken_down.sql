-- Up Migration

alter table agent add column taken_down_reason text;
alter table agent add constraint agent_taken_down_is_private
  check (not is_public or taken_down_reason is null) not valid;
