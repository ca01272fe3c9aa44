-- Up Migration

-- Links to the pages of venues, so that each can be listed and revoked (docs/operate/venue-page.md) --

create table venue_link (
  id uuid primary key,
  venue_id uuid not null references venue on delete cascade,
  -- the booking whose notices have the link; null: an operator made it
  booking_id uuid references booking on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  revoked_at timestamptz
);
create index venue_link_venue on venue_link (venue_id, created_at);
-- Every notice of a booking has the same link.
create unique index venue_link_booking on venue_link (booking_id) where revoked_at is null;

-- Links had no rows and were revoked by the time at which they were made.
alter table venue_contact drop column links_from;
