-- Up Migration

-- Venues where a person answers (docs/venue-page.md) ----------------------------------------------

create table venue_contact (
  venue_id uuid primary key references venue,
  -- where the venue is told of what waits for it, and the secret that signs this, sealed with a key of SECRETS_KEY
  notify_url text,
  secret text,
  -- links to the venue's page that were made before then open nothing any more
  links_from timestamptz,
  check ((notify_url is null) = (secret is null))
);

alter table venue_statement
  add offered_slot_time timestamp,
  -- why a person declined, from a list; never their own words, which may name a guest
  add reason text check (reason in ('full', 'closed', 'party_size', 'short_notice', 'other')),
  drop constraint venue_statement_status_check,
  add constraint venue_statement_status_check check (status in ('confirmed', 'declined', 'cancelled',
    'offered', 'no_show', 'attended')),
  add constraint venue_statement_offer check (
    (status = 'offered') = (offered_slot_time is not null));

-- Another time that the venue proposed. The booking keeps the time that was asked for until the offer is accepted;
-- its inventory is that of the offer.
create table venue_offer (
  booking_id uuid primary key references booking,
  offering_id uuid not null,
  rule_version integer not null,
  slot_time timestamp not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  cancel_until timestamptz not null,
  foreign key (offering_id, rule_version) references offering_rules (offering_id, version)
);

alter table booking
  -- what the venue is to be told next, where it has an address to be told at
  add notice_due text check (notice_due in ('request.waiting', 'request.reminder', 'booking.changed')),
  -- when a person at the venue was reminded to answer
  add venue_reminded_at timestamptz;
