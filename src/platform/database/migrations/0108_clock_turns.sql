-- Up Migration

-- Which test clock of an account moves: one at a time, in whichever process. A row that was not
-- deleted in time belongs to a process that died.
create table clock_turn (
  live_account_id uuid primary key references account (id),
  clock_id uuid not null references test_clock (account_id) on delete cascade,
  until timestamptz not null
);
create index clock_turn_clock on clock_turn (clock_id);
