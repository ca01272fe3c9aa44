-- Up Migration

-- Finds the calls about a booking.
create index request_log_subject on request_log (account_id, subject_id, at, request_id)
  where subject_id is not null;
