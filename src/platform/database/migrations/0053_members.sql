-- Up Migration

-- Who works in an account, and as what. An account has many developers, a developer many accounts.
create table member (
  account_id uuid not null references account,
  developer_id uuid not null references developer on delete cascade,
  role text not null check (role in ('owner', 'developer', 'billing', 'read-only')),
  created_at timestamptz not null,
  -- when the developer last chose this account among theirs
  chosen_at timestamptz,
  primary key (account_id, developer_id)
);
create index on member (developer_id);
insert into member (account_id, developer_id, role, created_at)
  select account_id, id, 'owner', created_at from developer;

-- The account that somebody opened by signing up, only for the previous release, which reads it and
-- adds no members. Null for those who were invited.
alter table developer alter column account_id drop not null;
create function add_owner() returns trigger language plpgsql as $$
begin
  insert into member (account_id, developer_id, role, created_at)
    values (new.account_id, new.id, 'owner', new.created_at);
  return null;
end
$$;
create trigger developer_owns_account after insert on developer
  for each row when (new.account_id is not null) execute function add_owner();

-- The account of a session, which ends with the membership; null: the one last chosen.
alter table developer_session add column account_id uuid,
  add constraint developer_session_of_member foreign key (account_id, developer_id)
    references member (account_id, developer_id) on delete cascade not valid;

-- Good once: joining or revoking deletes it, and another to the same address replaces it.
create table invitation (
  id uuid primary key,
  account_id uuid not null references account,
  email text not null check (char_length(email) between 3 and 254),
  role text not null check (role in ('owner', 'developer', 'billing', 'read-only')),
  -- SHA-256 of the token in the link
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index invitation_of_address on invitation (account_id, lower(email));
create index on invitation (expires_at);
