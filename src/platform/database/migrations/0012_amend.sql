-- Up Migration

-- Amending bookings at venues with a system of their own --------------------------------------------

alter table booking
  -- the venue is asked for a change, or told that one is off and the booking stays as it is
  add change_phase text check (change_phase in ('asked', 'restoring')),
  -- the revision under which it is asked or told
  add change_revision integer,
  add constraint booking_change_phase check (
    (change_phase is null) = (change_revision is null)
    and (change_phase is null or (status = 'confirmed' and answer_by is not null)));
create index on booking (updated_at) where change_phase is not null;

-- What a booking is to become with the yes of its venue; there as long as the venue is asked.
create table booking_change (
  booking_id uuid primary key references booking,
  offering_id uuid not null,
  rule_version integer not null,
  slot_time timestamp not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  -- the end with the time that the venue needs afterwards
  occupied_until timestamptz not null check (occupied_until >= ends_at),
  cancel_until timestamptz not null,
  party_size integer not null check (party_size > 0),
  -- what it takes then: these resources, or so many places
  resource_ids uuid[] not null,
  places integer not null check (places >= 0),
  -- the venue may know of it
  is_sent boolean not null default false,
  foreign key (offering_id, rule_version) references offering_rules (offering_id, version)
);

-- What a change takes beyond what the booking has: both are kept until the venue has answered.
alter table allocation add of_change boolean not null default false;
alter table slot_take
  add of_change boolean not null default false,
  drop constraint slot_take_pkey,
  add primary key (booking_id, of_change);

-- Systems that were connected before there was `booking.amend` do not know it.
alter table connector add takes_amend boolean not null default false;
alter table connector alter column takes_amend set default true;
