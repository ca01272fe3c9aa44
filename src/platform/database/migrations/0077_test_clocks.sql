-- Up Migration

-- The clock of a sandbox that does not live in real time. It runs on like any clock, as far ahead
-- of real time as its owner has moved it; a clock that shows the past is behind.
create table test_clock (
  account_id uuid primary key references account (id),
  name text not null,
  ahead_ms bigint not null,
  created_at timestamptz not null,
  -- where it is moving to; null once everything due until then is done
  advancing_to timestamptz,
  -- where it was moved to last, so that a repeated request changes nothing
  advanced_to timestamptz,
  check (advancing_to is null or advanced_to is not distinct from advancing_to)
);
create index test_clock_advancing on test_clock (account_id) where advancing_to is not null;
