-- Up Migration

-- A withdrawal that the venue never acknowledged is given up.
alter table booking drop constraint booking_venue_sync_check;
alter table booking add constraint booking_venue_sync_check check (venue_sync in
  ('not_sent', 'sent', 'acknowledged', 'withdraw_due', 'withdrawn', 'given_up'));

-- Its workflow has noticed that it is deleted. Until then the sweep wakes it.
alter table endpoint add column ended_at timestamptz;
