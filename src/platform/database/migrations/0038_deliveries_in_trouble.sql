-- Up Migration

-- The deliveries of an endpoint that wait for another attempt: few, among any number that wait for
-- their first.
create index delivery_in_trouble on delivery (endpoint_id, event_number)
  where status = 'pending' and tries > 0;
