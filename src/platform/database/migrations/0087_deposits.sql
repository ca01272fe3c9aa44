-- Up Migration

-- What a venue asks for when it is booked, at most one for each booking. `due` while the slot is
-- held, `taken` with the confirmation, then `kept` for the venue or `returned`; `void` if the
-- booking was never confirmed. Of a `guarantee` nothing is charged until it is kept.
create table deposit (
  id uuid primary key,
  booking_id uuid not null references booking,
  account_id uuid not null references account,
  kind text not null check (kind in ('deposit', 'guarantee')),
  amount_minor bigint not null check (amount_minor > 0),
  per text not null check (per in ('guest', 'party')),
  currency char(3) not null,
  is_demo boolean not null,
  status text not null check (status in ('due', 'taken', 'kept', 'returned', 'void')),
  -- why it was kept or returned
  reason text check (reason in ('cancelled_in_time', 'cancelled_late', 'venue_cancelled', 'visited',
    'no_show', 'attended', 'dispute')),
  created_at timestamptz not null,
  taken_at timestamptz,
  settled_at timestamptz,
  constraint deposit_of_booking unique (booking_id),
  check ((status in ('due', 'void')) = (taken_at is null)),
  check ((status in ('kept', 'returned')) = (settled_at is not null)),
  check ((settled_at is null) = (reason is null))
);
create index deposit_taken on deposit (booking_id) where status = 'taken';

-- A deposit goes one way. What was kept can still be returned, after a dispute or by its venue;
-- what was returned stays returned.
create function check_deposit_move() returns trigger language plpgsql as $$
begin
  if not (old.status = new.status or (old.status, new.status) in (('due', 'taken'),
    ('due', 'void'), ('taken', 'kept'), ('taken', 'returned'), ('kept', 'returned')))
  then raise exception 'deposit % does not go from % to %', old.id, old.status, new.status;
  end if;
  if old.status <> 'due' and (old.amount_minor, old.currency, old.kind, old.booking_id)
    is distinct from (new.amount_minor, new.currency, new.kind, new.booking_id)
  then raise exception 'deposit % was taken and is never changed', old.id;
  end if;
  return new;
end
$$;
create trigger deposit_move before update on deposit
  for each row execute function check_deposit_move();

-- An account says that a deposit was wrongly kept. An operator decides, once.
create table deposit_dispute (
  id uuid primary key,
  deposit_id uuid not null references deposit,
  account_id uuid not null references account,
  reason text not null check (length(reason) between 1 and 1000),
  -- the signed timeline of the booking when it was disputed
  evidence jsonb not null,
  opened_at timestamptz not null,
  decision text check (decision in ('kept', 'returned')),
  decided_at timestamptz,
  decided_by uuid,
  decision_reason text check (length(decision_reason) between 1 and 500),
  constraint deposit_dispute_once unique (deposit_id),
  check (num_nulls(decision, decided_at, decided_by, decision_reason) in (0, 4))
);
create index deposit_dispute_open on deposit_dispute (opened_at) where decision is null;
