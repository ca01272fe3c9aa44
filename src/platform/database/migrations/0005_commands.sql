-- Up Migration

-- Idempotency keys of all doors and operations: one key, one request -----------------------------

create table used_key (
  account_id uuid not null references account,
  key text not null check (length(key) between 1 and 255),
  -- what it was used for, and the id of that: a booking, a command
  operation text not null,
  subject_id uuid not null,
  body_hash bytea not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index on used_key (created_at);

insert into used_key (account_id, key, operation, subject_id, body_hash, created_at)
select account_id, idempotency_key, operation, booking_id, body_hash, created_at
from request where idempotency_key is not null;

alter table request
  drop column idempotency_key,
  add constraint request_operation check (operation in ('confirm', 'hold'));

-- What an agent wants of a booking that exists, written down before anybody acts upon it ----------

create table command (
  id uuid primary key,
  booking_id uuid not null references request,
  kind text not null check (kind in ('confirm', 'extend', 'release', 'cancel', 'amend',
    'accept_offer', 'refuse_offer')),
  -- never holds guest details
  input jsonb not null,
  door text not null,
  from_agent text,
  created_at timestamptz not null,
  -- since when its venue decides about it; null before, and where the network decides by itself
  begun_at timestamptz,
  -- the final answer, as the doors give it
  answer jsonb
);
create index on command (booking_id);
create index on command (created_at) where answer is null and begun_at is null;

-- Holds -----------------------------------------------------------------------------------------

-- Explicit holds of an account that are alive. The check is what keeps it from holding a house.
create table hold_counter (
  account_id uuid primary key references account,
  live integer not null,
  constraint hold_counter_limit check (live between 0 and 10)
);

alter table booking
  -- until when an explicit hold lasts; null for a booking that was confirmed at once
  add hold_until timestamptz,
  add hold_extended boolean not null default false,
  -- how often it was changed on request; cancelling does not count
  add changes smallint not null default 0 check (changes between 0 and 50);

drop view booking_view;
create view booking_view as
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
  coalesce(b.starts_at, r.slot_time at time zone a.timezone) as starts_at,
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
