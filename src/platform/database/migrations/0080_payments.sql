-- Up Migration

-- An account as a provider of payments knows it. Ids of the provider only, never data of a card.
create table payment_customer (
  account_id uuid not null references account,
  provider text not null check (provider ~ '^[a-z][a-z0-9_]*$'),
  customer_id text not null check (length(customer_id) between 1 and 255),
  -- the way to pay that the account left; null until then
  method_id text check (length(method_id) between 1 and 255),
  -- the page on which it leaves one
  setup_id uuid unique,
  setup_page_id text check (length(setup_page_id) between 1 and 255),
  updated_at timestamptz not null,
  primary key (account_id, provider)
);

-- An attempt to pay what is due: a month of pro in advance, or an invoice. A month that is being
-- bought is charged with its payment, so `due_id` is null until then.
create table payment (
  id uuid primary key,
  account_id uuid not null references account,
  purpose text not null check (purpose in ('pro', 'invoice')),
  due_id uuid,
  pro_month_id uuid generated always as (case purpose when 'pro' then due_id end) stored
    references invoice,
  invoice_id uuid generated always as (case purpose when 'invoice' then due_id end) stored
    references monthly_invoice,
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  provider text not null check (provider ~ '^[a-z][a-z0-9_]*$'),
  provider_id text check (length(provider_id) between 1 and 255),
  page_id text check (length(page_id) between 1 and 255),
  page_url text check (length(page_url) between 1 and 4000),
  -- created: a page waits for the customer; processing: sent to the provider; unknown: no answer
  state text not null check (state in ('created', 'processing', 'succeeded', 'failed', 'unknown')),
  reason text check (length(reason) between 1 and 200),
  -- customer: somebody asked for it; network: when it was due
  made_by text not null check (made_by in ('customer', 'network')),
  idempotency_key text not null unique,
  -- paid a second time, so that it is owed back
  is_surplus boolean not null default false,
  refunded_minor bigint not null default 0
    check (refunded_minor >= 0 and refunded_minor <= amount_minor),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (purpose = 'pro' or due_id is not null),
  check (state <> 'succeeded' or (due_id is not null or is_surplus) and provider_id is not null),
  check (refunded_minor = 0 or state = 'succeeded'),
  constraint payment_provider_id unique (provider, provider_id)
);
create index payment_of_account on payment (account_id, id desc);
-- What is due is paid once, and by one attempt at a time.
create unique index payment_settles_once on payment (due_id)
  where state = 'succeeded' and not is_surplus;
create unique index payment_in_flight on payment (due_id)
  where state in ('created', 'processing', 'unknown');
create unique index payment_of_pro_in_flight on payment (account_id)
  where purpose = 'pro' and state in ('created', 'processing', 'unknown');
create index payment_undecided on payment (updated_at)
  where state in ('created', 'processing', 'unknown');

-- Money that was received stays received: it is given back by a refund.
create function refuse_unpaid() returns trigger language plpgsql as $$
begin
  if old.state = 'succeeded' and new.state <> 'succeeded' then
    raise exception 'payment % has succeeded: refund it', old.id;
  end if;
  return new;
end
$$;
create trigger payment_stays_paid before update on payment
  for each row execute function refuse_unpaid();

create table refund (
  id uuid primary key,
  payment_id uuid not null references payment,
  amount_minor bigint not null check (amount_minor > 0),
  state text not null check (state in ('processing', 'succeeded', 'failed', 'unknown')),
  provider_id text unique check (length(provider_id) between 1 and 255),
  -- why it was made, and why it failed
  note text not null check (length(note) between 1 and 500),
  reason text check (length(reason) between 1 and 200),
  idempotency_key text not null unique,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index refund_of_payment on refund (payment_id);
create index refund_undecided on refund (updated_at) where state in ('processing', 'unknown');

-- What a provider told by itself, so that it has its effect once.
create table provider_event (
  provider text not null check (provider ~ '^[a-z][a-z0-9_]*$'),
  id text not null check (length(id) between 1 and 255),
  type text not null check (length(type) between 1 and 255),
  received_at timestamptz not null,
  primary key (provider, id)
);
create index provider_event_age on provider_event (received_at);
