-- Up Migration

-- What an account owes for a month in a currency, numbered without gaps for each account: each
-- number refers to the one before. A credit note takes back an invoice that was wrong. Only whether
-- an invoice is paid ever changes.
create table monthly_invoice (
  id uuid primary key,
  account_id uuid not null references account,
  kind text not null check (kind in ('invoice', 'credit_note')),
  sequence integer not null check (sequence > 0),
  previous integer generated always as (nullif(sequence - 1, 0)) stored,
  number text not null unique,
  -- the first day of the month (UTC)
  month date not null check (extract(day from month) = 1),
  currency char(3) not null,
  -- the sum of the lines: negative if more was reversed than accrued, and always for a credit note
  total_minor bigint not null,
  -- of `paid_minor`, what the account had in credit when the invoice was issued
  credit_minor bigint not null check (credit_minor between 0 and greatest(total_minor, 0)),
  paid_minor bigint not null check (paid_minor between credit_minor and greatest(total_minor, 0)),
  status text not null check (status in ('open', 'paid', 'void')),
  issued_at timestamptz not null,
  due_at timestamptz not null,
  paid_at timestamptz,
  voided_at timestamptz,
  -- the invoice that a credit note takes back
  credits uuid unique references monthly_invoice,
  check ((kind = 'credit_note') = (credits is not null)),
  check (kind = 'invoice' or total_minor < 0),
  check (status = 'void' or (status = 'paid') = (paid_minor = greatest(total_minor, 0))),
  check ((status = 'paid') = (paid_at is not null)),
  check ((status = 'void') = (voided_at is not null)),
  unique (account_id, sequence),
  constraint monthly_invoice_no_gap foreign key (account_id, previous)
    references monthly_invoice (account_id, sequence)
);
create unique index monthly_invoice_once on monthly_invoice (account_id, month, currency)
  where kind = 'invoice';
create index monthly_invoice_open on monthly_invoice (due_at) where status = 'open';

-- As it was when it was invoiced, since bookings and venues change. An entry is invoiced once.
create table invoice_line (
  invoice_id uuid not null references monthly_invoice,
  position integer not null,
  -- null in a credit note
  entry_id uuid unique references ledger_entry,
  kind text not null check (kind in ('fee', 'reversal', 'pro', 'adjustment', 'credit_note')),
  -- the venue, or what else is charged
  description text not null,
  booking_id uuid references booking,
  slot_time timestamp,
  timezone text,
  party_size integer,
  base_minor bigint,
  pct numeric(5, 2),
  -- negative where it is in favour of the account
  amount_minor bigint not null,
  at timestamptz not null,
  primary key (invoice_id, position),
  check ((kind = 'credit_note') = (entry_id is null))
);
create index invoice_line_booking on invoice_line (booking_id) where booking_id is not null;

-- The account in a few letters, and a number of its own: INV-3F9A1C22B7D0-0001.
create function invoice_number(account_id uuid, sequence integer) returns text
  language sql immutable as $$
  select 'INV-' || upper(right(account_id::text, 12)) || '-'
    || lpad(sequence::text, greatest(4, length(sequence::text)), '0')
$$;

create function refuse_invoice_change() returns trigger language plpgsql as $$
begin
  -- `previous` is not computed yet
  if tg_op = 'UPDATE' and old.status = 'open'
    and to_jsonb(new) - array['status', 'paid_minor', 'paid_at', 'voided_at', 'previous']
      = to_jsonb(old) - array['status', 'paid_minor', 'paid_at', 'voided_at', 'previous']
    and new.paid_minor >= old.paid_minor
  then return new;
  end if;
  raise exception 'invoice % is issued: only its payment changes', old.number;
end
$$;
create trigger monthly_invoice_is_fixed before update or delete on monthly_invoice
  for each row execute function refuse_invoice_change();
create trigger invoice_line_is_fixed before update or delete or truncate on invoice_line
  for each statement execute function refuse_ledger_change();

-- The months before this are closed: their fees are on invoices.
alter table account add column invoiced_until timestamptz;

-- A row of `invoice` is the charge of a month on the pro tier: a line of that month's invoice.
create function post_pro_month() returns trigger language plpgsql as $$
begin
  insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
    source_kind, source_id, at)
  select gen_random_uuid(), new.account_id, new.currency, 'accrued', 'unbilled', 'revenue',
    new.amount_minor, 'pro_month', new.id, new.created_at
  where new.amount_minor > 0;
  return null;
end
$$;
create trigger pro_month_in_ledger after insert on invoice
  for each row execute function post_pro_month();

insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor, source_kind,
  source_id, at)
select gen_random_uuid(), account_id, currency, 'accrued', 'unbilled', 'revenue', amount_minor,
  'pro_month', id, created_at
from invoice where amount_minor > 0;
