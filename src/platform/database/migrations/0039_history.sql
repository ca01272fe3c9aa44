-- Up Migration

-- When the history of a booking was erased, and what finds it. Without the last two indexes,
-- erasing a row would read a whole table.
alter table booking add column history_erased_at timestamptz;
create index booking_history on booking (account_id, id)
  where history_erased_at is null and next_action_at is null;
create index delivery_of_event on delivery (account_id, event_number);
create index slot_take_of_counter on slot_take (offering_id, starts_at);
