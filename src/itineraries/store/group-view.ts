import { z } from 'zod'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import type { Booking } from '../../contract/public.ts'
import { bookingStatuses } from '../../contract/rules/booking-status.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import { type Db, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { groupStatuses } from '../rules/groups.ts'
import type { Choice, Itinerary, Part } from '../schema.ts'

const memberRow = z
  .object({
    position: z.int(),
    venue_id: z.uuid(),
    venue_slug: z.string(),
    venue_name: z.string(),
    slot_time: z.string(),
    party_size: z.int(),
    begun_id: z.uuid().nullable(),
    status: z.enum(bookingStatuses).nullable(),
    revision: z.int().nullable(),
    reason_code: z.string().nullable(),
    refusal: z.custom<RefusalData>().nullable(),
  })
  .transform((row) => ({
    position: row.position,
    venue: { id: row.venue_id, slug: row.venue_slug, name: row.venue_name },
    slot_time: row.slot_time,
    party_size: row.party_size,
    status: shownStatus(row),
    booking_id: row.begun_id,
    code: row.refusal?.code ?? row.reason_code,
    message: row.refusal?.message ?? null,
  }))

/** A request that was refused before anything was held has no booking of its own. */
function shownStatus(row: {
  status: Booking['status'] | null
  revision: number | null
}): Choice['status'] {
  if (row.status === null) return 'not_tried'
  return row.status === 'failed' && row.revision === 0 ? 'refused' : row.status
}

const selectShownMembers = (db: Db, groupId: string) =>
  queryRows(db, memberRow)`
    select m.position, m.venue_id, v.slug as venue_slug, v.name as venue_name, m.slot_time,
      m.party_size, b.id as begun_id, b.status, b.revision, b.reason_code,
      coalesce(c.answer -> 'refusal', r.answer -> 'refusal') as refusal
    from group_member m join venue v on v.id = m.venue_id
    left join request r on r.booking_id = m.booking_id
    left join booking_view b on b.id = m.booking_id
    left join command c on c.id = m.ask_id
    where m.group_id = ${groupId} order by m.position`

/** The alternatives of a group in their order, with what became of each so far. */
export async function selectChoices(db: Db, groupId: string): Promise<Choice[]> {
  const members = await selectShownMembers(db, groupId)
  return members.map(({ position, ...one }) => ({ choice: position, ...one }))
}

const itineraryRow = z.object({
  id: z.uuid(),
  status: z.enum(groupStatuses).exclude(['trying']),
  answer_by: z.date(),
  refusal: z.custom<RefusalData>().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
})

/** An itinerary of this account as its agent sees it. */
export async function selectOptionalItinerary(
  db: Db,
  accountId: string,
  id: string,
): Promise<Itinerary | undefined> {
  const row = await queryOptionalRow(db, itineraryRow)`
    select id, status, answer_by, refusal, created_at, updated_at from booking_group
    where id = ${id} and account_id = ${accountId} and kind = 'itinerary'`
  if (!row) return undefined
  return {
    id: row.id,
    status: row.status,
    answer_by: row.answer_by.toISOString(),
    parts: await selectParts(db, id),
    code: row.refusal?.code ?? null,
    message: row.refusal?.message ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

async function selectParts(db: Db, id: string): Promise<Part[]> {
  const parts: Part[] = []
  for (const { position, ...one } of await selectShownMembers(db, id)) {
    const id = one.status === 'refused' ? null : one.booking_id
    const booking = id === null ? null : await selectBooking(db, id)
    parts.push({ part: position, ...one, booking })
  }
  return parts
}
