-- Up Migration

-- Local times become instants in one place, with one copy of the time zone data: until a booking
-- holds something, the service says when it begins (PostgreSQL takes the later of two such times).
create or replace view booking_view as
select
  r.booking_id as id,
  r.account_id,
  case
    when b.id is not null then b.status
    when r.answer is not null then 'failed'
    else 'pending'
  end as status,
  r.venue_id,
  v.slug as venue_slug,
  v.name as venue_name,
  coalesce(b.slot_time, r.slot_time) as slot_time,
  a.timezone,
  b.starts_at,
  b.ends_at,
  coalesce(b.party_size, r.party_size) as party_size,
  coalesce(b.fee_status, 'none') as fee_status,
  coalesce(f.amount_minor, 0) as fee_amount_minor,
  a.currency,
  f.pct as fee_pct,
  coalesce(b.revision, 0) as revision,
  coalesce(b.reason_code, r.answer #>> '{refusal,code}') as reason_code,
  r.created_at,
  coalesce(b.updated_at, r.created_at) as updated_at,
  coalesce(b.confirm_mode, v.confirm_mode) as confirm_mode,
  case when b.status = 'held' then b.hold_until end as hold_until,
  case when b.status in ('pending', 'offered') then b.answer_by end as answer_by,
  b.cancel_until,
  b.cancelled_by
from request r
join venue v on v.id = r.venue_id
join area a on a.slug = v.area_slug
left join booking b on b.id = r.booking_id
left join fee_entry f on f.booking_id = r.booking_id and f.kind = 'accrual' and f.reversed_by is null;

-- No money of a deposit passes through the network.
alter table ledger_entry drop constraint ledger_entry_kind_check,
  drop constraint ledger_entry_debit_check, drop constraint ledger_entry_credit_check,
  add constraint ledger_entry_kind_check check (kind in ('accrued', 'reversed', 'invoiced', 'paid',
    'refunded', 'credited', 'corrected')) not valid,
  add constraint ledger_entry_debit_check check (debit in ('unbilled', 'receivable', 'revenue',
    'cash', 'credit', 'goodwill', 'exchange')) not valid,
  add constraint ledger_entry_credit_check check (credit in ('unbilled', 'receivable', 'revenue',
    'cash', 'credit', 'goodwill', 'exchange')) not valid;

-- A fee becomes `settled` by its invoice, not in the booking.
alter table booking drop constraint booking_fee_status_check,
  add constraint booking_fee_status_check
    check (fee_status in ('none', 'accrued', 'reversed')) not valid;
