-- Up Migration

-- What happened to each booking, who did it and why (docs/timeline.md) ---------------------------

create table timeline_entry (
  booking_id uuid not null references booking,
  number integer not null check (number > 0),
  at timestamptz not null,
  by text not null check (by in ('agent', 'guest', 'venue', 'network')),
  what text not null,
  why text not null,
  -- of the booking, after the step
  revision integer not null check (revision > 0),
  status text not null,
  -- SHA-256 of the entry before, 32 zero bytes in the first, and of this one
  previous bytea not null check (length(previous) = 32),
  hash bytea not null check (length(hash) = 32),
  primary key (booking_id, number),
  -- the entry before, which must be there: numbers have no gap
  preceding integer generated always as (nullif(number - 1, 0)) stored,
  foreign key (booking_id, preceding) references timeline_entry
);
create trigger immutable before update or delete on timeline_entry
  for each row execute function refuse_change();

alter table booking
  -- the number and the hash of its last entry; bookings made before this table have none of their beginning
  add timeline_length integer not null default 0 check (timeline_length >= 0),
  add timeline_head bytea check (length(timeline_head) = 32),
  add constraint booking_timeline check ((timeline_length = 0) = (timeline_head is null));

-- Whoever changes a booking says who did it and why, or cannot commit.
create function refuse_untold_change() returns trigger language plpgsql as $$
begin
  raise exception 'booking % was changed without an entry in its timeline', new.id;
end $$;
create trigger told before update on booking for each row
  when (new.revision <> old.revision and new.timeline_length = old.timeline_length)
  execute function refuse_untold_change();
