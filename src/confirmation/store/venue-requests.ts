import sql from 'sql-template-tag'
import { z } from 'zod'
import { bookingStatuses } from '../../base/booking-status.ts'
import { changePhases, venueSyncs } from '../../bookings/rules/booking.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const requestRow = z.object({
  booking_id: z.uuid(),
  venue_id: z.uuid(),
  venue_slug: z.string(),
  service: z.string(),
  /** who leads it, if people can be wished for */
  leaders: z.array(z.string()).nullable(),
  status: z.enum(bookingStatuses),
  venue_sync: z.enum(venueSyncs),
  revision: z.int(),
  asked_revision: z.int().nullable(),
  answer_by: z.date().nullable(),
  reason_code: z.string().nullable(),
  slot_time: z.string(),
  timezone: z.string(),
  starts_at: z.date(),
  ends_at: z.date(),
  party_size: z.int(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  notes: z.string().nullable(),
  url: z.string().nullable(),
  secret: z.string().nullable(),
  /** a test venue, which answers within the service */
  is_test: z.boolean(),
  account_id: z.uuid(),
  guest_ref: z.string().nullable(),
  change_phase: z.enum(changePhases).nullable(),
})
/**
 * Everything that a request to a venue may say about a booking, and the venue's address, which is
 * null once the venue is disconnected. Contains guest details, so must not enter logs or workflow
 * history. While a change is requested, slot and party are those of the change.
 */
export type VenueRequest = z.infer<typeof requestRow>

const columns = sql`
      b.id as booking_id, b.venue_id, v.slug as venue_slug, o.name as service, (
        select json_agg(t.name order by t.name) from resource t
        join service_rules x on x.service_id = o.id
          and x.version = coalesce(n.rule_version, b.rule_version)
        where t.kind = x.rules ->> 'leader' and t.id = any(coalesce(n.resource_ids, array(
          select resource_id from allocation where booking_id = b.id)))) as leaders, b.status,
      b.venue_sync, b.revision, coalesce(b.change_revision, b.asked_revision) as asked_revision,
      case when b.change_phase is distinct from 'restoring' then b.answer_by end as answer_by,
      b.reason_code, a.timezone,
      coalesce(n.slot_time, b.slot_time) as slot_time,
      coalesce(n.starts_at, b.starts_at) as starts_at, coalesce(n.ends_at, b.ends_at) as ends_at,
      coalesce(n.party_size, b.party_size) as party_size,
      g.name, g.phone, g.email, g.notes, c.url, c.secret, b.change_phase,
      v.is_test is true as is_test, b.account_id, r.guest_ref`
const fromClause = sql`from booking b
    left join booking_change n on n.booking_id = b.id
    join venue v on v.id = b.venue_id
    join area a on a.slug = v.area_slug
    join service o on o.id = coalesce(n.service_id, b.service_id)
    join request r on r.booking_id = b.id
    left join booking_guest g on g.booking_id = b.id
    left join connector c on c.venue_id = b.venue_id`

/** The contents of a request to a booking's venue. */
export const selectOptionalVenueRequest = (db: Db, bookingId: string) =>
  query.optionalRow(db, requestRow)`
    select ${columns} ${fromClause} where b.id = ${bookingId}`

const claimedRow = requestRow.extend({ is_first: z.boolean() })

/**
 * The contents of a request to the venue. Marks, before the request is sent, that the venue may
 * know of a pending booking; `is_first` unless it was already marked.
 */
export const claimOptionalVenueRequest = (db: Db, bookingId: string) =>
  query.optionalRow(db, claimedRow)`
    with marked as (
      update booking set venue_sync = 'sent'
      where id = ${bookingId} and status = 'pending' and venue_sync = 'not_sent'
        and (exists (select from connector c where c.venue_id = booking.venue_id)
          or exists (select from venue v where v.id = booking.venue_id and v.is_test))
      returning id
    )
    select ${columns}, exists (select from marked) as is_first
    ${fromClause} where b.id = ${bookingId}`
