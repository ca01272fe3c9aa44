-- Up Migration

-- A wallet that has paid without a key: its account, found again by its address.
create table x402_payer (
  network text not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  account_id uuid not null unique references account,
  created_at timestamptz not null,
  primary key (network, address)
);

-- A payment by x402. `amount` is in the smallest unit of `asset`; `price_minor`, `currency` and
-- `rate` are what it was converted from.
create table x402_payment (
  id uuid primary key,
  account_id uuid not null references account,
  booking_id uuid unique references request (booking_id),
  network text not null,
  payer text not null check (payer ~ '^0x[0-9a-f]{40}$'),
  nonce text not null check (nonce ~ '^0x[0-9a-f]{64}$'),
  payload jsonb not null,
  payload_hash bytea not null,
  requirements jsonb not null,
  requirements_hash bytea not null,
  asset text not null,
  amount bigint not null check (amount > 0),
  price_minor bigint not null check (price_minor >= 0),
  currency char(3) not null,
  rate numeric not null check (rate > 0),
  valid_before timestamptz not null,
  state text not null check (
    state in ('verified', 'settling', 'unknown', 'settled', 'failed', 'refund_due', 'refunded')),
  attempts integer not null default 0,
  transaction text,
  error text,
  refund_reason text,
  refund_transaction text,
  -- a failed one was looked up once more after it had lapsed
  checked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (network, payer, nonce),
  unique (network, transaction),
  constraint x402_payment_proof check (
    (state in ('settled', 'refund_due', 'refunded')) = (transaction is not null)),
  constraint x402_payment_refund check ((state = 'refunded') = (refund_transaction is not null)),
  constraint x402_payment_failure check (state <> 'failed' or error is not null)
);

create index x402_payment_account on x402_payment (account_id, created_at);
create index x402_payment_open on x402_payment (updated_at)
  where state not in ('settled', 'failed', 'refunded');
create index x402_payment_unchecked on x402_payment (id)
  where state = 'failed' and checked_at is null and attempts > 0;

-- Money moves forward only: what is settled stays settled or is given back. An authorisation that
-- failed, and was used all the same by whoever had seen it, is due back.
create function check_x402_move() returns trigger language plpgsql as $$
begin
  if new.state = old.state or (old.state, new.state) in (
    ('verified', 'settling'), ('verified', 'failed'),
    ('settling', 'settled'), ('settling', 'unknown'), ('settling', 'failed'),
    ('unknown', 'settling'), ('unknown', 'settled'), ('unknown', 'failed'),
    ('settled', 'refund_due'), ('refund_due', 'refunded'), ('failed', 'refund_due'))
  then
    return new;
  end if;
  raise exception 'a payment cannot move from % to %', old.state, new.state
    using errcode = 'check_violation';
end
$$;
create trigger forward before update of state on x402_payment
  for each row execute function check_x402_move();

-- No booking that is paid first reaches its venue, or is confirmed, before its payment is settled.
create function require_x402_settled() returns trigger language plpgsql as $$
begin
  if exists (
    select from x402_payment where booking_id = new.id and state not in ('settled', 'refund_due'))
  then
    raise exception 'the payment of booking % is not settled', new.id
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger paid_first after update of status on booking
  for each row when (new.status in ('pending', 'confirmed') and old.status = 'held')
  execute function require_x402_settled();

-- A booking that ends without its fee: what was paid is due back, what was not lapses.
create function end_x402_payment() returns trigger language plpgsql as $$
begin
  update x402_payment set state = 'refund_due', refund_reason = new.status,
    updated_at = new.updated_at
  where booking_id = new.id and state = 'settled';
  update x402_payment set state = 'failed', error = 'booking_' || new.status,
    updated_at = new.updated_at
  where booking_id = new.id and state = 'verified';
  return null;
end
$$;
create trigger ended_unpaid after update of status on booking
  for each row when (
    new.status in ('declined', 'expired', 'cancelled', 'released', 'failed')
    and new.status <> old.status and new.fee_status in ('none', 'reversed'))
  execute function end_x402_payment();

-- A request that is refused before it holds anything costs nothing.
create function lapse_x402_payment() returns trigger language plpgsql as $$
begin
  update x402_payment set state = 'failed', error = new.answer #>> '{refusal,code}',
    updated_at = now()
  where booking_id = new.booking_id and state = 'verified';
  return null;
end
$$;
create trigger refused_unpaid after update of answer on request
  for each row when (old.answer is null and new.answer ? 'refusal')
  execute function lapse_x402_payment();

-- The facilitator of a development machine: test wallets, and each transfer between them.
create table x402_local_wallet (
  network text not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  balance bigint not null check (balance >= 0),
  primary key (network, address)
);
create table x402_local_transfer (
  hash text primary key,
  network text not null,
  sender text not null,
  recipient text not null,
  amount bigint not null check (amount > 0),
  nonce text not null,
  at timestamptz not null,
  unique (network, sender, nonce)
);
