-- Up Migration

-- Lists of an account that are narrowed: without these a filter that matches little looks at everything ---------------

-- by status, and by local date of the slot
create index on booking (account_id, status, id desc);
create index on booking (account_id, slot_time);
-- requests that became no booking, as store/booking-list.ts asks for them; open ones are few
create index request_unbooked on request (account_id, booking_id desc)
  where answer is null or answer ? 'refusal';
