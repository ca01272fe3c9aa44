import { selectOptionalBookingStartOf } from '../../bookings/store/booking-starts.ts'
import type { Engine } from '../../contract/operation.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { GroupStart } from '../rules/group-messages.ts'
import type { GroupStatus } from '../rules/groups.ts'
import { insertMemberCommand, selectOptionalMemberIds } from '../store/group-progress.ts'
import { insertMemberRequest } from '../store/groups.ts'

export type GroupDeps = { db: Pool; engine: Engine }

/** How long one attempt waits for a booking's answer before the workflow reads the state again. */
const WAIT_SECONDS = 20

/**
 * Opens a booking of a group, asks its venue, or undoes it, with the ids that were made with the
 * group, so repeating it is safe. Returns when the booking has answered, or after 20 s.
 */
export async function workOnMember(
  { db, engine }: GroupDeps,
  { groupId, accountId }: GroupStart,
  { status, position, at }: { status: GroupStatus; position: number; at: Date },
): Promise<string> {
  const ids = await selectOptionalMemberIds(db, groupId, position)
  if (!ids) throw new Error(`group ${groupId} has no member ${position}`)
  const { booking_id: bookingId } = ids
  const isOpening = status === 'trying' || status === 'holding'
  if (isOpening) await insertMemberRequest(db, groupId, position, at)
  const start = await selectOptionalBookingStartOf(db, accountId, bookingId)
  if (!start) return 'not opened'
  if (isOpening) return summaryOf(await engine.confirm(start, WAIT_SECONDS))
  const [id, kind, input] =
    status === 'asking'
      ? ([ids.ask_id, 'confirm', { group_id: groupId }] as const)
      : ([ids.undo_id, 'cancel', { by: ids.cancel_by ?? 'network' }] as const)
  await insertMemberCommand(db, { id, bookingId, kind, input, at })
  return summaryOf(await engine.command(start, { id, kind, input }, WAIT_SECONDS))
}

/** Notifies the bookings of a group to read their state; they would when their holds end. */
export async function tellMembers({ db, engine }: GroupDeps, group: GroupStart): Promise<void> {
  for (const { bookingId } of group.members) {
    const start = await selectOptionalBookingStartOf(db, group.accountId, bookingId)
    if (start) await engine.announceCommands(start, group.groupId)
  }
}

/** Enough for the history of the workflow: the answer is in the database. */
function summaryOf(answer: Awaited<ReturnType<Engine['command']>>): string {
  if (answer === 'pending') return 'pending'
  return 'refusal' in answer ? answer.refusal.code : String(answer.booking.status)
}
