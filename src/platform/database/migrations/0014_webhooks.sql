-- Up Migration

-- Where an account wants its events delivered --------------------------------------------------------

create table endpoint (
  id uuid primary key,
  account_id uuid not null references account,
  -- which of the account's fifty it is; null once it is deleted
  nth smallint check (nth between 1 and 50),
  url text not null check (char_length(url) <= 2048),
  description text not null default '' check (char_length(description) <= 500),
  -- `*`, a type, or all of a subject as in `booking.*`
  event_types text[] not null check (cardinality(event_types) between 1 and 50),
  -- sent with each request: names in the clear, the object of names and values sealed
  header_names text[] not null default '{}',
  headers text,
  rate_per_second smallint check (rate_per_second between 1 and 1000),
  -- one delivery at a time, in the order of events
  is_fifo boolean not null default false,
  -- unverified: has to prove itself (anew) before it gets anything
  status text not null check (status in ('unverified', 'active', 'paused', 'disabled')),
  -- why it is where it is: `url_changed`, `owner`, `gone`, `failing`
  status_reason text,
  -- what its owner repeats, or its receiver echoes, to prove that the address is theirs
  challenge text not null,
  -- when it first proved itself: from then on every event that it wants is written down for it
  verified_at timestamptz,
  -- when the address that it has now proved itself; null until then
  proved_at timestamptz,
  -- the last number given to a delivery: a receiver can see that none is missing
  sequence bigint not null default 0,
  -- since when every attempt fails; null when the last one succeeded
  failing_since timestamptz,
  -- the last of those failures, to the quarter of an hour
  failed_at timestamptz,
  warned_at timestamptz,
  -- nothing is sent before this, and why: `breaker`, `retry_after`; `fifo`, when the first in order waits for its next try
  wait_until timestamptz,
  wait_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  unique (account_id, nth),
  check ((wait_until is null) = (wait_reason is null)),
  check (status <> 'active' or verified_at is not null)
);
create index on endpoint (account_id, id desc) where deleted_at is null;
create index on endpoint (id) where status = 'active' and deleted_at is null;

-- What an endpoint's deliveries are signed with: every key that is valid at the moment of an attempt signs it, the newest first.
create table signing_key (
  id uuid primary key,
  endpoint_id uuid not null references endpoint,
  -- sealed
  secret text not null,
  -- null while it is staged
  valid_from timestamptz,
  -- null for the newest
  valid_until timestamptz,
  created_at timestamptz not null,
  check (valid_until is null or valid_from is not null)
);
create unique index signing_key_one_newest on signing_key (endpoint_id)
  where valid_from is not null and valid_until is null;
create unique index signing_key_one_staged on signing_key (endpoint_id) where valid_from is null;
create index on signing_key (endpoint_id, valid_until);

-- Events that are about no booking: those of the endpoints themselves.
alter table event
  alter column booking_id drop not null,
  alter column transition_id drop not null,
  add check ((booking_id is null) = (transition_id is null));

-- A wish to have events delivered again, worked through from one number to another, behind what is new.
create table replay (
  id uuid primary key,
  endpoint_id uuid not null references endpoint,
  account_id uuid not null references account,
  status text not null check (status in ('running', 'paused', 'cancelled', 'completed')),
  -- what is to be replayed, as it was asked for
  filter jsonb not null,
  -- the number of the last event that was looked at, and the last one to look at
  cursor bigint not null,
  until_number bigint not null,
  per_second smallint not null check (per_second between 1 and 1000),
  -- the next page is not taken before this
  next_at timestamptz not null,
  -- events that the filter found when it began, and that were put up for delivery so far
  total bigint not null,
  queued bigint not null default 0,
  -- events that were pending or under way when their turn came
  left_alone bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on replay (endpoint_id, id desc);
create unique index replay_one_at_a_time on replay (endpoint_id) where status in ('running', 'paused');

-- One event for one endpoint, however often it is tried or replayed ------------------------------------

create table delivery (
  id uuid primary key,
  endpoint_id uuid not null references endpoint,
  account_id uuid not null,
  event_number bigint not null,
  event_type text not null,
  -- pending ones of an endpoint that is not active are held
  status text not null
    check (status in ('pending', 'sending', 'delivered', 'failed', 'discarded', 'expired')),
  -- given when the body is first made, and kept
  sequence bigint,
  body text,
  -- tries of the schedule, and attempts of any kind
  tries smallint not null default 0,
  attempts integer not null default 0,
  -- when it is tried next; null when it is not
  due_at timestamptz,
  -- it fails when it has not arrived by then
  give_up_at timestamptz not null,
  -- when it first arrived; a replay does not change that
  delivered_at timestamptz,
  -- the replay that put it up again
  replay_id uuid references replay on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (account_id, event_number) references event,
  check ((status = 'pending') = (due_at is not null)),
  check ((sequence is null) = (body is null)),
  constraint delivery_once unique (endpoint_id, event_number),
  constraint delivery_sequence unique (endpoint_id, sequence)
);
create index delivery_due on delivery (endpoint_id, (replay_id is not null), due_at, event_number)
  where status = 'pending';
create index delivery_sending on delivery (endpoint_id) where status = 'sending';
-- lists go by endpoint, also those of a whole account
create index on delivery (endpoint_id, status, event_number desc);
create index on delivery (replay_id, status) where replay_id is not null;
create index on delivery (updated_at) where status not in ('pending', 'sending');

-- One request to a subscriber, written down before it is sent.
create table attempt (
  id uuid primary key,
  -- null for a challenge, which belongs to no event
  delivery_id uuid references delivery on delete cascade,
  endpoint_id uuid not null references endpoint,
  -- of the delivery, from 1: who comes second with a number does not send
  number integer not null,
  cause text not null
    check (cause in ('schedule', 'probe', 'replay', 'retry', 'test', 'challenge')),
  status text not null check (status in ('sending', 'succeeded', 'failed', 'unknown')),
  started_at timestamptz not null,
  ms integer,
  http_status smallint,
  -- why there is no answer, or why it does not count: a category
  failure text,
  response_headers jsonb,
  -- the first 16 kB
  response_body text,
  response_truncated boolean,
  -- the address then, and the ids of the keys that signed it
  url text not null,
  signed_with uuid[] not null,
  -- when the delivery is tried next, and the rule that says so
  next_at timestamptz,
  next_rule text,
  constraint attempt_once unique (delivery_id, number)
);
create index on attempt (endpoint_id, started_at desc, id desc);
create index attempt_open on attempt (endpoint_id) where status = 'sending';
create index on attempt (started_at) where delivery_id is null;

-- Up to when settled deliveries were erased: of an older event without one, nobody knows any more whether it was delivered.
create table delivery_erasure (
  is_only boolean primary key default true check (is_only),
  erased_before timestamptz not null
);
