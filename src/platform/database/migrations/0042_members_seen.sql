-- Up Migration

-- The states of a group's bookings when its workflow last looked. If they differ now and the
-- workflow has not looked again, the signal of a booking was lost.
alter table booking_group add column members_seen text;
