-- Up Migration

-- A deleted account stays as an id without a name, for its bookings, fees and invoices.
alter table account add column deleted_at timestamptz;
