import { z } from 'zod'
import { bookingStatuses, venueSyncs } from '../model/booking.ts'
import { type Db, queryOptionalRow } from './sql.ts'

const questionRow = z.object({
  booking_id: z.uuid(),
  venue_id: z.uuid(),
  venue_slug: z.string(),
  offering: z.string(),
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
})
/** Everything that its venue may be asked or told about a booking, and where; without an address when it is no longer connected. */
export type VenueQuestion = z.infer<typeof questionRow>

/** What there is to say to the venue of a booking, guest details included: never for logs or workflow history. */
export const selectOptionalVenueQuestion = (
  db: Db,
  bookingId: string,
): Promise<VenueQuestion | undefined> =>
  queryOptionalRow(
    db,
    questionRow,
    `select b.id as booking_id, b.venue_id, v.slug as venue_slug, o.name as offering, b.status,
       b.venue_sync, b.revision, b.asked_revision, b.answer_by, b.reason_code, b.slot_time,
       a.timezone, b.starts_at, b.ends_at, b.party_size, g.name, g.phone, g.email, g.notes,
       c.url, c.secret
     from booking b
     join venue v on v.id = b.venue_id
     join area a on a.slug = v.area_slug
     join offering o on o.id = b.offering_id
     left join booking_guest g on g.booking_id = b.id
     left join connector c on c.venue_id = b.venue_id
     where b.id = $1`,
    [bookingId],
  )
