-- Up Migration

-- What the owner of an endpoint or an operator did to it: each id has its effect once.
create table endpoint_command (
  endpoint_id uuid not null references endpoint on delete cascade,
  id text not null check (char_length(id) between 1 and 100),
  name text not null,
  at timestamptz not null,
  primary key (endpoint_id, id)
);
-- for the erasure of old ones
create index on endpoint_command (at);

-- false: an operator made it, and its owner has not seen the secret yet
alter table signing_key add column is_shown boolean not null default true;
