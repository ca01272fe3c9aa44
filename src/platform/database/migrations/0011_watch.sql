-- Up Migration

-- Agents that wait for a place at a slot that is full -----------------------------------------------

create table watch (
  id uuid primary key,
  account_id uuid not null references account,
  venue_id uuid not null references venue,
  slot_time timestamp not null,
  flex_minutes smallint not null check (flex_minutes between 0 and 120),
  party_size integer not null check (party_size > 0),
  -- between these a slot that is offered may begin
  earliest timestamptz not null,
  latest timestamptz not null check (latest >= earliest),
  -- how long it waits, and how long a hold lasts that it is given
  until timestamptz not null check (until <= latest),
  hold_seconds integer not null check (hold_seconds > 0),
  status text not null
    check (status in ('watching', 'offered', 'fulfilled', 'cancelled', 'expired')),
  reason_code text,
  -- since when it waits: its position in the queue of the venue
  queued_at timestamptz not null,
  -- holds that it was given and let go
  turns_missed smallint not null default 0,
  -- the hold that it has or has confirmed
  hold_id uuid references booking,
  -- which one of the account's live watches it is; null once it is over
  nth smallint,
  door text not null,
  from_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((status in ('watching', 'offered')) = (nth is not null)),
  check (status <> 'offered' or hold_id is not null),
  -- at most 20 live ones per account
  constraint watch_limit check (nth between 1 and 20),
  constraint watch_nth unique (account_id, nth)
);
create unique index watch_once
  on watch (account_id, venue_id, slot_time, party_size, flex_minutes) where nth is not null;
create index watch_queue on watch (venue_id, queued_at, id) where status = 'watching';
create index on watch (account_id, id desc);
create index on watch (until) where nth is not null;
create unique index on watch (hold_id);

-- A place given to a watcher: the hold, by whose end it came about, and whether its workflow was started.
create table watch_turn (
  hold_id uuid primary key references booking,
  watch_id uuid not null references watch,
  -- null for a place that appeared without a booking's end
  freed_by uuid references booking,
  offered_at timestamptz not null,
  is_started boolean not null default false
);
create index on watch_turn (freed_by) where not is_started;
create index on watch_turn (offered_at) where not is_started;

-- When a venue that is watched was last looked at for places that appeared without a booking's end. Apart from the watches: a row that
-- is locked for a moment would lose its turn.
create table watched_venue (
  venue_id uuid primary key references venue,
  looked_at timestamptz not null
);
