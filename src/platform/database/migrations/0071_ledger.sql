-- Up Migration

-- Money, by account and currency. An entry moves an amount from the ledger account `credit` to the
-- ledger account `debit`, so any set of entries balances. A source posts each kind at most once.
-- Entries are only added: a mistake is corrected by another entry.
create table ledger_entry (
  id uuid primary key,
  account_id uuid not null references account,
  currency char(3) not null,
  kind text not null check (kind in ('accrued', 'reversed', 'invoiced', 'paid', 'refunded',
    'credited', 'corrected', 'deposit_taken', 'deposit_returned', 'deposit_kept')),
  debit text not null check (debit in ('unbilled', 'receivable', 'revenue', 'cash', 'credit',
    'goodwill', 'deposits', 'venue_payable', 'exchange')),
  credit text not null check (credit in ('unbilled', 'receivable', 'revenue', 'cash', 'credit',
    'goodwill', 'deposits', 'venue_payable', 'exchange')),
  amount_minor bigint not null check (amount_minor > 0),
  -- what the entry is about, as `fee` and the id of a fee entry
  source_kind text not null check (source_kind ~ '^[a-z][a-z0-9_]*$'),
  source_id uuid not null,
  at timestamptz not null,
  note text check (length(note) between 1 and 500),
  check (debit <> credit),
  -- what accrues is earned and not yet billed; a reversal is the same the other way round
  check (kind <> 'accrued' or (debit, credit) = ('unbilled', 'revenue')),
  check (kind <> 'reversed' or (debit, credit) = ('revenue', 'unbilled')),
  constraint ledger_entry_once unique (source_kind, source_id, kind)
);
create index ledger_entry_of_account on ledger_entry (account_id, at desc, id desc);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries of % are never changed: add one that corrects it', tg_table_name;
end
$$;
create trigger ledger_entry_is_fixed before update or delete or truncate on ledger_entry
  for each statement execute function refuse_ledger_change();

-- A fee is in the ledger from the moment it accrues, in the same transaction and round trip. Fees of
-- live accounts at demo venues are never invoiced, so they are no money. Read as JSON, `mode` may be
-- missing: a later migration adds it.
create function post_fee() returns trigger language plpgsql as $$
begin
  insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
    source_kind, source_id, at)
  select gen_random_uuid(), new.account_id, new.currency,
    case new.kind when 'accrual' then 'accrued' else 'reversed' end,
    case new.kind when 'accrual' then 'unbilled' else 'revenue' end,
    case new.kind when 'accrual' then 'revenue' else 'unbilled' end,
    new.amount_minor, 'fee', new.id, new.created_at
  where new.amount_minor > 0 and (not new.is_demo
    or (select to_jsonb(a) ->> 'mode' from account a where a.id = new.account_id) = 'test');
  return null;
end
$$;

-- The fees of before: most of them while bookings go on, the last ones under the lock of the trigger.
insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor, source_kind,
  source_id, at)
select gen_random_uuid(), account_id, currency,
  case kind when 'accrual' then 'accrued' else 'reversed' end,
  case kind when 'accrual' then 'unbilled' else 'revenue' end,
  case kind when 'accrual' then 'revenue' else 'unbilled' end,
  amount_minor, 'fee', id, created_at
from fee_entry where amount_minor > 0 and not is_demo;

create trigger fee_in_ledger after insert on fee_entry
  for each row execute function post_fee();

insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor, source_kind,
  source_id, at)
select gen_random_uuid(), account_id, currency,
  case kind when 'accrual' then 'accrued' else 'reversed' end,
  case kind when 'accrual' then 'unbilled' else 'revenue' end,
  case kind when 'accrual' then 'revenue' else 'unbilled' end,
  amount_minor, 'fee', id, created_at
from fee_entry where amount_minor > 0 and not is_demo
on conflict on constraint ledger_entry_once do nothing;
