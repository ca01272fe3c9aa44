-- Up Migration

create type uuid_range as range (subtype = uuid);

-- Who has sent a name as `from`, and who has registered it. Several accounts can send a name that
-- nobody has registered. A registration shuts out all others, so it overlaps with every other row
-- of its name, and the constraint lets it in only when there is none.
create table agent_name (
  name text not null check (name = lower(name)),
  account_id uuid not null references account,
  is_registered boolean not null,
  used_at timestamptz not null,
  primary key (name, account_id),
  constraint agent_name_of_one exclude using gist (name with =, (
    case when is_registered then uuid_range(null, null)
    else uuid_range(account_id, account_id, '[]') end
  ) with &&)
);

-- Counts the names of an account.
create index agent_name_account on agent_name (account_id) where not is_registered;

-- Finds the names that nobody has sent for long.
create index agent_name_used on agent_name (used_at) where not is_registered;

insert into agent_name (name, account_id, is_registered, used_at)
select lower(name), account_id, true, updated_at from agent where account_id is not null;

insert into agent_name (name, account_id, is_registered, used_at)
select lower(substr(from_agent, length('agent://') + 1)), account_id, false, max(at)
from request_log where code = 'ok' and from_agent like 'agent://_%'
group by 1, 2
on conflict do nothing;
