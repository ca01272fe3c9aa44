-- Up Migration

-- What was changed in an account, by whom and from where. Entries are only added: they end with
-- their account or when they are as old as the rest of history.
create table audit_entry (
  account_id uuid not null references account,
  at timestamptz not null,
  id uuid not null,
  actor_kind text not null check (actor_kind in ('member', 'key', 'operator', 'system')),
  -- of a developer or a key; null for commands of an operator and for the network itself
  actor_id uuid,
  -- as it was then: an email address, or the name of a key
  actor_name text not null,
  -- the door of an agent, the dashboard, or the operator's commands
  door text not null,
  -- null where nobody called
  address text,
  request_id text,
  -- what it was done to, a dot, and what was done
  action text not null check (action ~ '^[a-z]+[.][a-z_]+$'),
  object_id text,
  object_name text,
  -- never secrets
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  primary key (account_id, at, id)
);

create function refuse_update() returns trigger language plpgsql as $$
begin
  raise exception 'entries of % are never changed', tg_table_name;
end
$$;
create trigger audit_entry_is_fixed before update on audit_entry
  for each statement execute function refuse_update();
