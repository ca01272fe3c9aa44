import sql from 'sql-template-tag'
import { z } from 'zod'
import { type DepositRule, depositFor } from '../../availability/rules/deposit.ts'
import { bookingStatuses, cancellers } from '../../base/booking-status.ts'
import { confirmModes } from '../../base/venue-kinds.ts'
import { presentBooked, serviceColumn, storedService } from '../../bookings/store/booking-view.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const bookingRow = z
  .object({
    id: z.uuid(),
    status: z.enum(bookingStatuses),
    confirm_mode: z.enum(confirmModes),
    reason_code: z.string().nullable(),
    cancelled_by: z.enum(cancellers).nullable(),
    service: storedService,
    slot_time: z.string(),
    timezone: z.string(),
    starts_at: z.date(),
    ends_at: z.date(),
    party_size: z.int(),
    asked_revision: z.int(),
    answer_by: z.date().nullable(),
    reminded_at: z.date().nullable(),
    answered_at: z.date().nullable(),
    updated_at: z.date(),
    cancel_until: z.date(),
    offered_slot_time: z.string().nullable(),
    /** the change for which the venue's people are asked */
    change: z.object({ slot_time: z.string(), party_size: z.int() }).nullable(),
    name: z.string().nullable(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    notes: z.string().nullable(),
    /** the email to the guest about the booking's end; `due` also while the booking is open */
    end_mail: z.enum(['sent', 'due', 'none']),
    /** the person at the venue whose answer is in force, if that is known */
    answered_by: z.string().nullable(),
    currency: z.string(),
    /** the rules at the time of booking */
    deposits: z.custom<DepositRule[]>().nullable(),
  })
  .transform(({ deposits, currency, ...booking }) => {
    const { slot_time: slotTime, party_size: partySize } = booking
    const party = { partySize, currency }
    return {
      ...booking,
      service: presentBooked(booking.service, party),
      deposit: depositFor(deposits, { slotTime, ...party }),
    }
  })
/** A booking as the venue's people see it, with guest details: only for their page. */
export type VenueBooking = z.infer<typeof bookingRow>

// Venues never see an unconfirmed hold.
const select = (venueId: string) => sql`
  select b.id, b.status, b.confirm_mode, b.reason_code, b.cancelled_by,
    ${serviceColumn(sql`b.id`)}, b.slot_time, a.timezone, b.starts_at, b.ends_at, b.party_size,
    coalesce(case when b.confirm_mode = 'request' then b.change_revision end, b.asked_revision,
      0) as asked_revision, b.answer_by,
    b.venue_reminded_at as reminded_at, b.venue_answered_at as answered_at, b.updated_at,
    b.cancel_until,
    case when b.status = 'offered' then f.slot_time end as offered_slot_time,
    case when b.change_phase = 'asked' and b.confirm_mode = 'request' then (
      select json_build_object('slot_time', n.slot_time, 'party_size', n.party_size)
      from booking_change n where n.booking_id = b.id) end as change,
    g.name, g.phone, g.email, g.notes,
    case when exists (select from guest_mail m where m.booking_id = b.id
        and m.kind in ('cancelled', 'declined') and m.sent_at is not null) then 'sent'
      when g.notify and g.email is not null and (b.guest_notice is not null
        or b.status in ('pending', 'offered', 'confirmed')) then 'due'
      else 'none' end as end_mail,
    (select p.name from venue_response s join venue_person p on p.id = s.person_id
      where s.booking_id = b.id
        and s.effect in ('confirm', 'decline', 'offer', 'amend', 'keep', 'cancel', 'no_show',
          'attended')
      order by s.received_at desc limit 1) as answered_by,
    a.currency, r.rules -> 'deposits' as deposits
  from booking b
  join venue v on v.id = b.venue_id
  join area a on a.slug = v.area_slug
  join service_rules r on (r.service_id, r.version) = (b.service_id, b.rule_version)
  left join venue_offer f on f.booking_id = b.id
  left join booking_guest g on g.booking_id = b.id
  where b.venue_id = ${venueId} and b.status not in ('held', 'released', 'failed')
    and (b.status not in ('declined', 'expired') or b.asked_revision is not null)`

/** The requests and changes that await an answer by a venue's people, the most urgent first. */
export const selectWaitingBookings = (db: Db, venueId: string, limit: number) =>
  query.rows(db, bookingRow)`
    ${select(venueId)} and b.confirm_mode = 'request'
      and (b.status = 'pending' or b.change_phase = 'asked')
    order by b.answer_by, b.id limit ${limit}`

export type Span = { from: Date; until: Date }

/** A venue's bookings whose slots begin in a period, in order. */
export const selectVenueBookings = (
  db: Db,
  venueId: string,
  { from, until, limit }: Span & { limit: number },
) =>
  query.rows(db, bookingRow)`
    ${select(venueId)} and b.starts_at >= ${from} and b.starts_at < ${until}
    order by b.starts_at, b.id limit ${limit}`

/** One booking of a venue. */
export const selectOptionalVenueBooking = (db: Db, venueId: string, bookingId: string) =>
  query.optionalRow(db, bookingRow)`${select(venueId)} and b.id = ${bookingId}`
