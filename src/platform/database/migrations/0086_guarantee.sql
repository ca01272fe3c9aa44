-- Up Migration

-- When a UUIDv7 was made: the moment a process wrote its row, also in a step that was repeated.
create function time_of_id(id uuid) returns timestamptz language sql immutable parallel safe strict
return to_timestamp(
  ('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0);

-- A promise of the guarantee that was broken for a booking, found by looking at what is stored, and
-- what was credited for it. A request that was refused has no booking row and is erased after a
-- while, so `booking_id` refers to nothing.
create table guarantee_breach (
  id uuid primary key,
  account_id uuid not null references account,
  booking_id uuid not null,
  promise text not null check (promise in ('answer', 'one_sale', 'recovery', 'webhook')),
  -- in words, with the measured time
  why text not null check (length(why) between 1 and 500),
  broken_at timestamptz not null,
  found_at timestamptz not null,
  is_demo boolean not null,
  credit_minor bigint not null check (credit_minor >= 0),
  currency char(3) not null,
  -- nothing is charged at demo venues
  check (not is_demo or credit_minor = 0),
  constraint guarantee_breach_once unique (booking_id, promise)
);
create index guarantee_breach_of_account on guarantee_breach (account_id, found_at desc, id desc);
create index guarantee_breach_by_time on guarantee_breach (found_at desc, id desc);
create trigger immutable before update or delete on guarantee_breach
  for each row execute function refuse_change();

-- Up to when everything that was stored has been looked at.
create table guarantee_watch (
  only_row boolean primary key default true check (only_row),
  checked_until timestamptz not null
);
