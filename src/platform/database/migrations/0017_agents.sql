-- Up Migration

-- Agents that developers register -------------------------------------------------------------------

alter table agent
  add column version text not null default '1.0.0',
  add column a2a_url text,
  add column mcp_url text,
  add column homepage text,
  -- the words that a search finds it by
  add column document tsvector not null default '',
  -- with a default for processes of the release before, which know nothing of it
  add column updated_at timestamptz not null default now(),
  -- the name stays its account's
  add column deleted_at timestamptz;
update agent set updated_at = created_at;

-- One name whatever its case: nobody passes for another by a capital letter.
create unique index agent_one_name on agent (lower(name));
create index agent_of_account on agent (account_id, name collate "C") where account_id is not null;
create index agent_public on agent (name collate "C") where is_public and deleted_at is null;
create index agent_document on agent using gin (document) where is_public and deleted_at is null;

-- Goes up with each name that gets an owner, in the same transaction: who has seen this version knows of all owners up to it.
create table agent_registry (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
insert into agent_registry (version) values (0);

-- The feed ------------------------------------------------------------------------------------------

-- What is published, in the order of publication. Holds nothing finer than the hour.
create table activity (
  number bigint generated always as identity primary key,
  type text not null check (type in ('venue.added', 'slot.opened', 'booking.confirmed')),
  venue_id uuid not null references venue,
  hour timestamptz not null check (hour = date_trunc('hour', hour, 'UTC')),
  unique (venue_id, type, hour)
);
create index on activity (hour) where type <> 'venue.added';

-- What waits for publication. Neither has a key, so that nobody who writes here waits for another.
create table venue_added (
  venue_id uuid not null,
  hour timestamptz not null
);
create table slot_opened (
  venue_id uuid not null,
  hour timestamptz not null
);

-- Bookings and opened slots of the hours before this are published; whoever publishes locks the row.
create table feed_clock (
  only_row boolean primary key default true check (only_row),
  published_until timestamptz not null
);
insert into feed_clock (published_until)
  values (date_trunc('hour', now(), 'UTC') - interval '30 days');
