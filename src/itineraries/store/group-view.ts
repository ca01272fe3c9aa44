import sql from 'sql-template-tag'
import { z } from 'zod'
import { askedColumns } from '../../availability/store/wish-columns.ts'
import { type StoredBooking, selectOwnBooking } from '../../bookings/store/booking-view.ts'
import { alternative } from '../../contract/alternative.ts'
import { withLocalTimes } from '../../contract/local-times.ts'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { overlapsOf } from '../rules/overlaps.ts'
import {
  choice,
  type GroupChoice,
  type Itinerary,
  type ItineraryPart,
  itinerary,
} from '../schema.ts'

const memberRow = choice
  .omit({ choice: true })
  .extend({ position: z.int(), alternatives: z.array(alternative).nullable() })

/** A request refused before it held anything has no booking. */
const selectShownMembers = (db: Db, groupId: string) =>
  query.rows(db, memberRow)`
    select m.position, json_build_object('id', v.id, 'slug', v.slug, 'name', v.name) as venue,
      m.slot_time, m.party_size, ${askedColumns(sql`m`)}, b.id as booking_id,
      coalesce(x.refusal ->> 'code', b.reason_code) as code, x.refusal ->> 'message' as message,
      x.refusal #> '{facts,alternatives}' as alternatives,
      case when b.id is null then 'not_tried'
        when b.status = 'failed' and b.revision = 0 then 'refused' else b.status end as status
    from group_member m join venue v on v.id = m.venue_id
    left join request r on r.booking_id = m.booking_id
    left join booking_view b on b.id = m.booking_id
    left join command c on c.id = m.ask_id
    cross join lateral (
      select coalesce(c.answer -> 'refusal', r.answer -> 'refusal') as refusal) x
    where m.group_id = ${groupId} order by m.position`

/** A group's alternatives in order, with the outcome of each so far. */
export async function selectChoices(db: Db, groupId: string): Promise<GroupChoice[]> {
  const members = await selectShownMembers(db, groupId)
  return members.map(({ position, alternatives: _, ...one }) => ({ choice: position, ...one }))
}

const itineraryRow = itinerary
  .omit({ parts: true, warnings: true })
  .extend({ answer_by: isoTime, created_at: isoTime, updated_at: isoTime })

type StoredPart = Omit<ItineraryPart, 'booking'> & { booking: StoredBooking | null }
type StoredItinerary = Omit<Itinerary, 'parts'> & { parts: StoredPart[] }

/** An itinerary of this account. */
export async function selectOptionalItinerary(
  db: Db,
  accountId: string,
  id: string,
): Promise<StoredItinerary | undefined> {
  const row = await query.optionalRow(db, itineraryRow)`
    select id, status, answer_by, guest_ref, refusal ->> 'code' as code,
      refusal ->> 'message' as message, created_at, updated_at
    from booking_group where id = ${id} and account_id = ${accountId} and kind = 'itinerary'`
  if (!row) return undefined
  const parts: StoredPart[] = []
  for (const { position, alternatives, ...one } of await selectShownMembers(db, id)) {
    const bookingId = one.status === 'refused' ? null : one.booking_id
    const booking = bookingId === null ? null : await selectOwnBooking(db, bookingId)
    parts.push({ part: position, ...one, booking, ...(alternatives && { alternatives }) })
  }
  const isOver = row.status === 'failed' || row.status === 'cancelled'
  const timezone = parts.find(({ booking }) => booking)?.booking?.timezone ?? 'UTC'
  const group = withLocalTimes(row, timezone, ['answer_by'])
  return { ...group, parts, warnings: isOver ? [] : overlapsOf(parts) }
}
