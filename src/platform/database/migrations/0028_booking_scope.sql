-- Up Migration

-- Booking needs a scope of its own; the keys that exist could book, so they have it.

alter table api_key
  drop constraint api_key_scopes_check,
  add constraint api_key_scopes_check
    check (scopes <@ array['bookings', 'keys', 'webhooks', 'agents', 'usage']) not valid,
  alter column scopes set default '{bookings,webhooks,agents,usage}';

update api_key set scopes = array_prepend('bookings', scopes);

alter table api_key validate constraint api_key_scopes_check;
