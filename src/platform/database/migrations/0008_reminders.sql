-- Up Migration

alter table request
  -- minutes before the slot at which its agent is reminded; null for the network's default
  add reminders integer[] check (
    cardinality(reminders) <= 5 and 5 <= all (reminders) and 43200 >= all (reminders));

alter table booking
  -- Reminders for this moment and before were sent, or had passed when the booking was confirmed or moved. Null sends none:
  -- bookings that were confirmed before there were reminders wait for their completion alone.
  add reminded_until timestamptz;
