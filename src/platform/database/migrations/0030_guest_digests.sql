-- Up Migration

-- Has the sweep erase what requests from before keep of their guests: the account's reference, and
-- digests without a key. Those whose details are erased already are due at once.
insert into booking_guest (booking_id, erase_after)
select r.booking_id,
  coalesce(b.starts_at, r.slot_time at time zone 'UTC') + interval '90 days'
from request r left join booking b on b.id = r.booking_id
where r.guest_ref is not null
  or coalesce(b.starts_at, r.slot_time at time zone 'UTC') + interval '90 days' < now()
on conflict do nothing;
