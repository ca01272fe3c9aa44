-- Up Migration

-- Venues with a booking system of their own (docs/venue-connector.md) -----------------------------

create table connector (
  venue_id uuid primary key references venue,
  url text not null,
  -- sealed with a key of SECRETS_KEY
  secret text not null,
  created_at timestamptz not null,
  -- when its availability was last asked for, and what went wrong if it did
  read_at timestamptz,
  failure text
);
create index on connector (read_at nulls first);

-- What a venue last said to be free, by local date.
create table mirror_day (
  venue_id uuid not null references connector on delete cascade,
  date date not null,
  as_of timestamptz not null,
  slots jsonb not null,
  primary key (venue_id, date)
);

-- Every yes and no that a venue said of a booking, written down before it is acted upon.
create table venue_statement (
  booking_id uuid not null references request,
  -- its webhook-id; an answer has that of its question
  id text not null,
  revision integer not null,
  status text not null check (status in ('confirmed', 'declined', 'cancelled')),
  answered_at timestamptz not null,
  received_at timestamptz not null,
  -- what it led to; null until it has been weighed
  effect text,
  primary key (booking_id, id),
  -- the same said again is one statement
  unique (booking_id, revision, status, answered_at)
);
create index on venue_statement (received_at) where effect is null;

alter table booking
  -- as the venue was when the booking was made
  add confirm_mode text not null default 'auto' check (confirm_mode in ('auto', 'http', 'request')),
  add answer_by timestamptz,
  -- the revision under which the venue was asked
  add asked_revision integer,
  -- when the statement that holds became so, by the venue's clock
  add venue_answered_at timestamptz,
  drop constraint booking_check1,
  add constraint booking_next_action check (
    (status in ('held', 'pending', 'offered', 'confirmed') or venue_sync = 'withdraw_due')
      = (next_action_at is not null)),
  add constraint booking_answer_by check (status <> 'pending' or answer_by is not null);
