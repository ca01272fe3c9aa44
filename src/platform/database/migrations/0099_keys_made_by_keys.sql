-- Up Migration

alter table api_key add column made_by uuid;
alter table api_key add constraint api_key_made_by_fkey
  foreign key (made_by) references api_key (id) not valid;
create index api_key_made_by on api_key (made_by) where made_by is not null;

-- A later link for a purpose takes the place of an earlier one, also when two are sent at once.
delete from mailed_token where used_at is null;
create unique index mailed_token_unused on mailed_token (developer_id, purpose)
  where used_at is null;
