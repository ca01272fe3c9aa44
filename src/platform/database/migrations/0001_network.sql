-- Up Migration

create extension if not exists btree_gist;
create extension if not exists pg_trgm;

-- Accounts, keys, quota -------------------------------------------------------------------------

create table account (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  tier text not null check (tier in ('free', 'pro')),
  -- its own daily limit; null takes the tier's
  requests_per_day integer check (requests_per_day > 0),
  created_at timestamptz not null
);

create table api_key (
  id uuid primary key,
  account_id uuid not null references account,
  name text not null check (length(name) between 1 and 100),
  -- SHA-256 of the raw key; 32 random bytes need no slow hash
  hash bytea not null unique check (length(hash) = 32),
  -- the last four characters, so that a person can tell keys apart
  hint text not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index on api_key (account_id);

create table quota_day (
  account_id uuid not null references account,
  day date not null,
  used integer not null check (used >= 0),
  primary key (account_id, day)
);

create table agent (
  name text primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'),
  account_id uuid references account,
  description text not null,
  capabilities text[] not null,
  card_url text,
  is_public boolean not null,
  created_at timestamptz not null
);

-- Venues ----------------------------------------------------------------------------------------

create table area (
  slug text primary key,
  name text not null,
  aliases text[] not null,
  city text not null,
  country char(2) not null,
  timezone text not null,
  currency char(3) not null,
  latitude double precision not null,
  longitude double precision not null
);

create table venue (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  category text not null check (category in ('restaurant', 'bar', 'gym', 'spa')),
  area_slug text not null references area,
  description text not null,
  tags text[] not null,
  price_level smallint not null check (price_level between 1 and 4),
  latitude double precision not null,
  longitude double precision not null,
  confirm_mode text not null check (confirm_mode in ('auto', 'http', 'request')),
  is_demo boolean not null,
  document tsvector not null,
  created_at timestamptz not null
);
create index on venue (category, area_slug, slug);
create index on venue (area_slug, slug);
create index on venue using gin (document);

create table offering (
  id uuid primary key,
  venue_id uuid not null references venue,
  name text not null,
  strategy text not null check (strategy in ('exclusive', 'pooled', 'on_request')),
  -- a slot that several offerings can take goes to the lowest position
  position smallint not null,
  rule_version integer not null,
  unique (venue_id, position)
);

-- Rules never change: a booking refers to the version it was made under.
create table offering_rules (
  offering_id uuid not null references offering,
  version integer not null check (version > 0),
  rules jsonb not null,
  created_at timestamptz not null,
  primary key (offering_id, version)
);
alter table offering add foreign key (id, rule_version)
  references offering_rules (offering_id, version) deferrable initially deferred;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows never change', tg_table_name;
end $$;
create trigger immutable before update or delete on offering_rules
  for each row execute function refuse_change();

-- A date on which weekly windows do not hold, for a venue, an area or a whole country.
create table day_exception (
  id uuid primary key,
  venue_id uuid references venue,
  area_slug text references area,
  country char(2),
  date date not null,
  windows jsonb not null,
  reason text not null,
  check (num_nonnulls(venue_id, area_slug, country) = 1)
);
create index on day_exception (date);

create table resource (
  id uuid primary key,
  offering_id uuid not null references offering,
  kind text not null,
  name text not null,
  party_min smallint not null check (party_min > 0),
  party_max smallint not null check (party_max >= party_min)
);
create index on resource (offering_id, kind, party_max);

-- Requests and bookings -------------------------------------------------------------------------

-- Written before anything else happens. One row is one booking attempt, whatever becomes of it.
create table request (
  booking_id uuid primary key,
  account_id uuid not null references account,
  operation text not null,
  idempotency_key text check (length(idempotency_key) between 1 and 255),
  body_hash bytea not null,
  -- equal requests without a key find each other here; cleared when the booking ends or is amended
  natural_key bytea,
  door text not null,
  from_agent text,
  guest_ref text,
  venue_id uuid not null references venue,
  slot_time timestamp not null,
  party_size integer not null,
  -- the final answer, as the doors give it; never holds secrets or guest details
  answer jsonb,
  created_at timestamptz not null,
  unique (account_id, idempotency_key),
  unique (account_id, natural_key)
);
create index on request (account_id, booking_id desc);
create index on request (created_at) where answer is null;

create table booking (
  id uuid primary key references request,
  account_id uuid not null references account,
  venue_id uuid not null references venue,
  offering_id uuid not null references offering,
  rule_version integer not null,
  status text not null check (status in ('held', 'pending', 'offered', 'confirmed', 'completed',
    'no_show', 'declined', 'expired', 'released', 'cancelled', 'failed')),
  revision integer not null check (revision > 0),
  reason_code text,
  cancelled_by text check (cancelled_by in ('guest', 'agent', 'venue', 'network')),
  fee_status text not null default 'none'
    check (fee_status in ('none', 'accrued', 'reversed', 'settled')),
  venue_sync text not null default 'not_sent'
    check (venue_sync in ('not_sent', 'sent', 'acknowledged', 'withdraw_due', 'withdrawn')),
  slot_time timestamp not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  party_size integer not null check (party_size > 0),
  cancel_until timestamptz not null,
  -- when the booking's workflow has something to do; the sweep looks here for lost workflows
  next_action_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (offering_id, rule_version) references offering_rules (offering_id, version),
  check ((status in ('held', 'pending', 'offered', 'confirmed')) = (next_action_at is not null))
);
create index on booking (next_action_at) where next_action_at is not null;
create index on booking (venue_id, starts_at);

-- Who the guest is and what they ask for: for the venue only, apart from everything that is logged or listed.
create table booking_guest (
  booking_id uuid primary key references request,
  name text,
  phone text,
  email text,
  notes text,
  erase_after timestamptz not null
);
create index on booking_guest (erase_after);

-- Every step of a booking, once. A step that is run again after a crash finds what it did.
create table transition (
  booking_id uuid not null references request,
  transition_id text not null,
  result jsonb not null,
  at timestamptz not null,
  primary key (booking_id, transition_id)
);

-- Inventory -------------------------------------------------------------------------------------

-- No two active allocations of one resource overlap: this, and not our code, prevents double booking.
create table allocation (
  booking_id uuid not null references booking,
  offering_id uuid not null references offering,
  resource_id uuid not null references resource,
  -- at most a day, so that an index on its beginning finds everything that overlaps a time
  during tstzrange not null
    check (not isempty(during) and upper(during) - lower(during) <= interval '1 day'),
  active boolean not null,
  primary key (booking_id, resource_id, during),
  constraint allocation_no_overlap
    exclude using gist (resource_id with =, during with &&) where (active)
);
-- what availability reads: everything taken of an offering in a span of time
create index on allocation (offering_id, lower(during)) where active;

-- Places taken per slot of a pooled offering: the check is what prevents overselling.
create table slot_counter (
  offering_id uuid not null references offering,
  starts_at timestamptz not null,
  cap integer not null check (cap >= 0),
  used integer not null,
  primary key (offering_id, starts_at),
  constraint slot_counter_not_oversold check (used between 0 and cap)
);

create table slot_take (
  booking_id uuid primary key references booking,
  offering_id uuid not null,
  starts_at timestamptz not null,
  places integer not null check (places > 0),
  active boolean not null,
  foreign key (offering_id, starts_at) references slot_counter (offering_id, starts_at)
);

-- Fees and events -------------------------------------------------------------------------------

create table fee_entry (
  id uuid primary key,
  account_id uuid not null references account,
  booking_id uuid not null references booking,
  kind text not null check (kind in ('accrual', 'reversal')),
  base_minor bigint not null check (base_minor >= 0),
  pct numeric(5, 2) not null,
  amount_minor bigint not null check (amount_minor >= 0),
  currency char(3) not null,
  -- fees of demo venues are never invoiced
  is_demo boolean not null,
  -- an accrual that was taken back names its reversal, and the other way round
  reversed_by uuid references fee_entry,
  reverses uuid unique references fee_entry,
  created_at timestamptz not null,
  check ((kind = 'reversal') = (reverses is not null))
);
create unique index fee_entry_one_accrual on fee_entry (booking_id)
  where kind = 'accrual' and reversed_by is null;
create index on fee_entry (account_id, created_at);

-- Events of an account are numbered in commit order, without gaps: the counter row is locked last.
create table event_counter (
  account_id uuid primary key references account,
  last bigint not null
);

create table event (
  account_id uuid not null references account,
  number bigint not null,
  id uuid not null unique,
  type text not null,
  booking_id uuid not null references booking,
  transition_id text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (account_id, number),
  foreign key (booking_id, transition_id) references transition,
  unique (booking_id, transition_id, type)
);
create index event_public on event (id) where type = 'booking.confirmed';

-- What doors show -------------------------------------------------------------------------------

-- A booking as its owner sees it, from the moment its request is written down.
create view booking_view as
select
  r.booking_id as id,
  r.account_id,
  case
    when b.id is not null then b.status
    when r.answer is not null then 'failed'
    else 'pending'
  end as status,
  r.venue_id,
  v.slug as venue_slug,
  v.name as venue_name,
  coalesce(b.slot_time, r.slot_time) as slot_time,
  a.timezone,
  coalesce(b.starts_at, r.slot_time at time zone a.timezone) as starts_at,
  b.ends_at,
  coalesce(b.party_size, r.party_size) as party_size,
  coalesce(b.fee_status, 'none') as fee_status,
  coalesce(f.amount_minor, 0) as fee_amount_minor,
  a.currency,
  f.pct as fee_pct,
  coalesce(b.revision, 0) as revision,
  coalesce(b.reason_code, r.answer #>> '{refusal,code}') as reason_code,
  r.created_at,
  coalesce(b.updated_at, r.created_at) as updated_at
from request r
join venue v on v.id = r.venue_id
join area a on a.slug = v.area_slug
left join booking b on b.id = r.booking_id
left join fee_entry f on f.booking_id = r.booking_id and f.kind = 'accrual' and f.reversed_by is null;
