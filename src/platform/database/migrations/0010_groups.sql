-- Up Migration

-- Bookings that belong together: the first yes of several (any of), or all or nothing (itinerary) ---

create table booking_group (
  id uuid primary key,
  account_id uuid not null references account,
  kind text not null check (kind in ('any_of', 'itinerary')),
  status text not null,
  body_hash bytea not null,
  -- equal requests without an idempotency key find each other here
  natural_key bytea,
  door text not null,
  from_agent text,
  guest_ref text,
  -- minutes before the slot at which its agent is reminded; null for the network's default
  reminders integer[],
  -- an itinerary's venues answer by then, and what is held for it lasts a little longer
  answer_by timestamptz,
  hold_until timestamptz,
  -- which of the account's few itineraries in progress this is
  lane smallint check (lane between 1 and 5),
  -- who wants all of it cancelled
  cancel_by text check (cancel_by in ('guest', 'agent')),
  -- why not all of it could be booked
  refusal jsonb,
  -- the final answer, as the doors give it
  answer jsonb,
  -- since when its workflow has something to do; the sweep looks here for lost workflows
  next_action_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (account_id, natural_key),
  unique (id, kind),
  -- an account has five itineraries in progress at most: what they hold counts to none of its ten holds
  constraint booking_group_lane unique (account_id, lane),
  constraint booking_group_status check (case kind
    when 'any_of' then status in ('trying', 'confirmed', 'failed')
    else status in ('holding', 'asking', 'confirmed', 'undoing', 'cancelling', 'failed', 'cancelled')
  end),
  constraint booking_group_in_progress check (
    (status in ('trying', 'holding', 'asking', 'undoing', 'cancelling')) = (next_action_at is not null)),
  constraint booking_group_deadline check (kind = 'any_of' or (answer_by < hold_until)),
  constraint booking_group_lanes check (
    (lane is not null) = (kind = 'itinerary' and status in ('holding', 'asking', 'undoing')))
);
create index on booking_group (account_id, id desc);
create index on booking_group (next_action_at) where next_action_at is not null;

-- What a group is made of. The ids of the bookings and commands are made with the group: whoever does a step again, does
-- it under the same id.
create table group_member (
  group_id uuid not null references booking_group,
  position smallint not null check (position between 1 and 10),
  booking_id uuid not null unique,
  -- the command that asks a venue which answers for itself, and the one that undoes the booking
  ask_id uuid not null,
  undo_id uuid not null,
  venue_id uuid not null references venue,
  slot_time timestamp not null,
  starts_at timestamptz not null,
  party_size integer not null,
  primary key (group_id, position)
);

-- Guest details are written down with the group, under the ids of bookings that are still to come.
alter table booking_guest drop constraint booking_guest_booking_id_fkey;

alter table booking
  add group_id uuid,
  add group_kind text,
  add constraint booking_group_fkey foreign key (group_id, group_kind)
    references booking_group (id, kind),
  add constraint booking_group_both check ((group_id is null) = (group_kind is null));
create index on booking (group_id) where group_id is not null;

-- Of several alternatives one is booked: this, and not our code, prevents two.
create unique index booking_any_of_one on booking (group_id)
  where status = 'confirmed' and group_kind = 'any_of';

-- Either all parts of an itinerary are booked or none occupies anything.
create function check_itinerary() returns trigger language plpgsql as $$
begin
  if new.status = 'confirmed' and old.status = 'asking' and exists (
    select from group_member m left join booking b on b.id = m.booking_id
    where m.group_id = new.id and (b.status, b.fee_status) is distinct from ('confirmed', 'accrued'))
  then raise exception 'itinerary % is not booked whole', new.id;
  end if;
  if new.status in ('failed', 'cancelled') and exists (
    select from booking b
    where b.group_id = new.id and b.status in ('held', 'pending', 'offered', 'confirmed'))
  then raise exception 'itinerary % still occupies something', new.id;
  end if;
  return new;
end $$;
create trigger all_or_nothing before update of status on booking_group
  for each row when (new.kind = 'itinerary') execute function check_itinerary();
