-- Up Migration

-- What a key may do besides searching and booking, until when, and when it was used -------------------

alter table api_key
  add column scopes text[] not null default '{webhooks,agents,usage}'
    check (scopes <@ array['keys', 'webhooks', 'agents', 'usage']),
  -- refused from then on; null: never
  add column expires_at timestamptz,
  -- to the minute, and the door of that use
  add column last_used_at timestamptz,
  add column last_used_door text,
  -- the key that it was rolled to
  add column replaced_by uuid references api_key,
  add check ((last_used_at is null) = (last_used_door is null)),
  add check (replaced_by is null or expires_at is not null);
create index on api_key (account_id, id desc);
drop index api_key_account_id_idx;

-- Tiers and what they cost ---------------------------------------------------------------------------

create table plan_change (
  id uuid primary key,
  account_id uuid not null references account,
  from_tier text not null check (from_tier in ('free', 'pro')),
  to_tier text not null check (to_tier in ('free', 'pro')),
  made_by text not null check (made_by in ('developer', 'operator')),
  created_at timestamptz not null,
  check (from_tier <> to_tier)
);
create index on plan_change (account_id, id desc);

create table invoice (
  id uuid primary key,
  account_id uuid not null references account,
  -- the first day of the month (UTC)
  month date not null check (extract(day from month) = 1),
  kind text not null check (kind in ('pro')),
  amount_minor bigint not null check (amount_minor >= 0),
  currency char(3) not null,
  created_at timestamptz not null,
  constraint invoice_once unique (account_id, month, kind)
);

-- What an account's keys asked for: each call for a week, their number by day for longer ---------------

create table request_log (
  account_id uuid not null,
  at timestamptz not null,
  -- of the HTTP request; callers have it as X-Request-Id
  request_id uuid not null,
  key_id uuid,
  door text not null,
  operation text not null,
  -- `ok`, or a code of the error catalogue
  code text not null,
  ms real not null,
  from_agent text,
  -- refusals of a limit that came in the same second are one entry
  calls integer not null check (calls > 0),
  primary key (account_id, at, request_id)
);
create index request_log_refused on request_log (account_id, at, request_id) where code <> 'ok';
-- for filters that match little; one index for all three, as there are few of each and it skips from one to the next
create index on request_log (account_id, operation, key_id, door);
-- of two filters together it knows by this that few calls match
create statistics request_log_kinds (mcv) on operation, key_id, door from request_log;
-- entries come in the order of time, so that a small index finds the old ones
create index request_log_age on request_log using brin (at);

create table usage_day (
  account_id uuid not null,
  -- UTC
  day date not null,
  code text not null,
  calls bigint not null check (calls > 0),
  primary key (account_id, day, code)
);
create index on usage_day (day);
