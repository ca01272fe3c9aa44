import sql from 'sql-template-tag'
import { z } from 'zod'
import { bookingStatuses } from '../../base/booking-status.ts'
import { languages } from '../../base/languages.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { type BookingInNotice, noticeKinds } from '../rules/message.ts'

const subjectRow = z.object({
  kind: z.enum(noticeKinds),
  booking_id: z.uuid().nullable(),
  revision: z.int().nullable(),
  day: z.string().nullable(),
  venue_id: z.uuid(),
  slug: z.string(),
  venue: z.string(),
  timezone: z.string(),
  phone: z.string().nullable(),
  person_id: z.uuid(),
  person: z.string(),
  language: z.enum(languages).catch('en'),
})

/** What a notice is about, whom it tells, and in which language. */
export const selectSubject = (db: Db, noticeId: string) =>
  query.row(db, subjectRow)`
    select n.kind, n.booking_id, n.revision, n.day::text, v.id as venue_id, v.slug,
      v.name as venue, a.timezone, v.phone, p.id as person_id, p.name as person,
      coalesce(p.language, v.language, 'en') as language
    from notice n join venue_person p on p.id = n.person_id
      join venue v on v.id = p.venue_id join area a on a.slug = v.area_slug
    where n.id = ${noticeId}`

const bookingRow = z
  .object({
    id: z.uuid(),
    revision: z.int(),
    status: z.enum(bookingStatuses),
    slot_time: z.string(),
    ends_at: z.date(),
    party_size: z.int(),
    service: z.string(),
    name: z.string().nullable(),
    notes: z.string().nullable(),
    answer_by: z.date().nullable(),
    before: z.object({ slotTime: z.string(), partySize: z.int() }).nullable(),
  })
  .transform(
    ({ id, revision, status, service, notes, before, ...row }): BookingInNotice => ({
      ...{ id, revision, status, service, notes, before, slotTime: row.slot_time },
      ...{
        endsAt: row.ends_at,
        partySize: row.party_size,
        guestName: row.name,
        answerBy: row.answer_by,
      },
    }),
  )

const bookings = sql`
  select b.id, b.revision, b.status, b.slot_time, b.ends_at, b.party_size, s.name as service,
    g.name, g.notes, b.answer_by, null as before
  from booking b join service s on s.id = b.service_id
    left join booking_guest g on g.booking_id = b.id`

/** The booking that a notice is about: as it is now, or for `asks` as the venue shall change it. */
export const selectNoticeBooking = (db: Db, bookingId: string, asks: boolean) =>
  query.row(db, bookingRow)`
    select b.id, b.revision, b.status, coalesce(n.slot_time, b.slot_time) as slot_time,
      coalesce(n.ends_at, b.ends_at) as ends_at, coalesce(n.party_size, b.party_size) as party_size,
      s.name as service, g.name, g.notes, b.answer_by,
      case when n.booking_id is not null then
        json_build_object('slotTime', b.slot_time, 'partySize', b.party_size) end as before
    from booking b left join booking_change n on n.booking_id = b.id and ${asks}
      join service s on s.id = coalesce(n.service_id, b.service_id)
      left join booking_guest g on g.booking_id = b.id
    where b.id = ${bookingId}`

const MAX_LISTED = 200

/** The confirmed bookings of a venue on a local date, by time. */
export const selectDayBookings = (db: Db, venueId: string, day: string) =>
  query.rows(db, bookingRow)`
    ${bookings} where b.venue_id = ${venueId} and b.status = 'confirmed'
      and b.slot_time >= ${day}::date and b.slot_time < ${day}::date + 1
    order by b.slot_time, b.id limit ${MAX_LISTED}`
