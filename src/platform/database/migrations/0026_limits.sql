-- Up Migration

-- Accounts for which the operator has set what they may have at a time; null is no limit. All others have the usual limits.
create table account_limit (
  account_id uuid primary key references account,
  -- bookings that occupy inventory, and watches that wait for it
  live integer check (live >= 0),
  -- of these, at one venue on one local date
  per_venue_day integer check (per_venue_day >= 0)
);

-- A change that was asked for after its booking's "cancel_until" does not lower the fee, whenever the venue agrees.
alter table booking_change add column is_late boolean not null default false;
