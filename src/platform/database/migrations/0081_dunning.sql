-- Up Migration

-- The network itself ends pro when an invoice stays unpaid, and restores it when it is paid.
alter table plan_change drop constraint plan_change_made_by_check;
alter table plan_change add constraint plan_change_made_by_check
  check (made_by in ('developer', 'operator', 'system')) not valid;

-- What is due and whose charge has failed. `next_at` is null once it is paid or pro has ended.
create table dunning (
  due_id uuid primary key,
  purpose text not null check (purpose in ('pro', 'invoice')),
  pro_month_id uuid generated always as (case purpose when 'pro' then due_id end) stored
    references invoice,
  invoice_id uuid generated always as (case purpose when 'invoice' then due_id end) stored
    references monthly_invoice,
  account_id uuid not null references account,
  failures int not null check (failures > 0),
  reason text not null check (length(reason) between 1 and 200),
  -- the first failure
  since timestamptz not null,
  -- the next charge, or the end of pro after the last one
  next_at timestamptz,
  pro_ended_at timestamptz,
  paid_at timestamptz,
  -- mails that are owed, and sent
  notices int not null check (notices >= 0),
  mailed int not null default 0 check (mailed >= 0 and mailed <= notices),
  check (next_at is null or (paid_at is null and pro_ended_at is null))
);
create index dunning_due on dunning (next_at) where next_at is not null;
create index dunning_unmailed on dunning (due_id) where mailed < notices;
create index dunning_unpaid on dunning (account_id)
  where pro_ended_at is not null and paid_at is null;
