import { z } from 'zod'
import { bookingStatuses } from '../../base/booking-status.ts'
import { confirmModes } from '../../base/venue-kinds.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const bookingRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  account_name: z.string(),
  venue_slug: z.string(),
  venue_name: z.string(),
  service_name: z.string().nullable(),
  timezone: z.string(),
  operation: z.string(),
  door: z.string(),
  from_agent: z.string().nullable(),
  slot_time: z.string(),
  party_size: z.int(),
  created_at: z.date(),
  refusal: z.string().nullable(),
  is_answered: z.boolean(),
  status: z.enum(bookingStatuses).nullable(),
  reason_code: z.string().nullable(),
  confirm_mode: z.enum(confirmModes).nullable(),
  venue_sync: z.string().nullable(),
  change_phase: z.string().nullable(),
  next_action_at: z.date().nullable(),
  answer_by: z.date().nullable(),
  hold_until: z.date().nullable(),
  group_id: z.uuid().nullable(),
  revision: z.int().nullable(),
})

/** A booking, or a request that has none, without details of its guest. */
export const selectBookingDetail = (db: Db, id: string) =>
  query.optionalRow(db, bookingRow)`
    select r.booking_id as id, r.account_id, c.name as account_name, v.slug as venue_slug,
      v.name as venue_name, o.name as service_name, a.timezone, r.operation, r.door, r.from_agent,
      coalesce(b.slot_time, r.slot_time)::text as slot_time,
      coalesce(b.party_size, r.party_size) as party_size, r.created_at,
      r.answer #>> '{refusal,code}' as refusal, r.answer is not null as is_answered, b.status,
      b.reason_code, b.confirm_mode, b.venue_sync, b.change_phase, b.next_action_at, b.answer_by,
      b.hold_until, b.group_id, b.revision
    from request r join account c on c.id = r.account_id join venue v on v.id = r.venue_id
    join area a on a.slug = v.area_slug left join booking b on b.id = r.booking_id
    left join service o on o.id = coalesce(b.service_id, r.service_id)
    where r.booking_id = ${id}`

const stepRow = z.object({ at: z.date(), name: z.string() })

/** The steps of a booking, newest first. */
export const selectSteps = (db: Db, bookingId: string) =>
  query.rows(db, stepRow)`
    select at, transition_id as name from transition where booking_id = ${bookingId}
    order by at desc, transition_id limit 50`

const commandRow = z.object({
  id: z.uuid(),
  kind: z.string(),
  door: z.string(),
  created_at: z.date(),
  begun_at: z.date().nullable(),
  failures: z.int(),
  is_answered: z.boolean(),
  refusal: z.string().nullable(),
})
export type CommandDetail = z.infer<typeof commandRow>

/** The commands sent to a booking, newest first, without their input. */
export const selectCommands = (db: Db, bookingId: string) =>
  query.rows(db, commandRow)`
    select id, kind, door, created_at, begun_at, failures, answer is not null as is_answered,
      answer #>> '{refusal,code}' as refusal
    from command where booking_id = ${bookingId} order by created_at desc, id desc limit 50`
