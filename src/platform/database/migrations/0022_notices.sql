-- Up Migration

-- How often the address of a venue has failed to take the notice that is due, and the index by
-- which the sweep finds notices that nobody sends.
alter table booking add column notice_tries smallint not null default 0;
create index booking_notice_due on booking (updated_at) where notice_due is not null;
