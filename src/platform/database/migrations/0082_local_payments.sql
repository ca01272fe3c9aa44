-- Up Migration

-- What the local provider of payments knows: its pages and charges. No money moves there.
create table local_charge (
  id uuid primary key,
  idempotency_key text not null unique,
  customer_id text not null,
  -- null on a page on which a customer leaves a card
  amount_minor bigint check (amount_minor > 0),
  currency char(3),
  description text not null,
  -- null where a card that was left is charged
  return_url text,
  card text check (card in ('works', 'declined', 'silent')),
  state text not null check (state in ('open', 'closed', 'succeeded', 'failed')),
  -- until then the provider does not answer questions about it
  silent_until timestamptz,
  refunded_minor bigint not null default 0 check (refunded_minor between 0 and amount_minor),
  created_at timestamptz not null,
  check ((amount_minor is null) = (currency is null))
);
