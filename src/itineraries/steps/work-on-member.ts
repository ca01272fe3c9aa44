import { selectOptionalBookingStartOf } from '../../bookings/store/booking-starts.ts'
import type { Engine } from '../../contract/operation.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { GroupStart } from '../rules/group-messages.ts'
import type { GroupStatus } from '../rules/groups.ts'
import { insertMemberCommand, selectOptionalMemberIds } from '../store/group-progress.ts'
import { insertMemberRequest } from '../store/groups.ts'

export type GroupDeps = { db: Pool; engine: Engine }

/** How long one attempt waits for a booking's answer; the workflow then looks around before it waits on. */
const WAIT_SECONDS = 20

type Work = { status: GroupStatus; position: number; at: Date }

/**
 * What a group wants of one of its bookings: tries or holds it, asks its venue, or undoes it, by the ordinary ways and under ids
 * that were made with the group, so that once more changes nothing. Answers when the booking has answered, or after 20 s.
 */
export async function workOnMember(
  { db, engine }: GroupDeps,
  { groupId, accountId }: GroupStart,
  { status, position, at }: Work,
): Promise<string> {
  const ids = await selectOptionalMemberIds(db, groupId, position)
  if (!ids) throw new Error(`group ${groupId} has no member ${position}`)
  const { booking_id: bookingId } = ids
  if (status === 'trying' || status === 'holding') {
    await insertMemberRequest(db, groupId, position, at)
  }
  const start = await selectOptionalBookingStartOf(db, accountId, bookingId)
  if (!start) return 'not begun'
  if (status === 'trying' || status === 'holding') {
    return told(await engine.confirm(start, WAIT_SECONDS))
  }
  const [id, kind, input] =
    status === 'asking'
      ? ([ids.ask_id, 'confirm', { group_id: groupId }] as const)
      : ([ids.undo_id, 'cancel', { by: ids.cancel_by ?? 'network' }] as const)
  await insertMemberCommand(db, { id, bookingId, kind, input, at })
  return told(await engine.command(start, { id, kind, input }, WAIT_SECONDS))
}

/** Tells the bookings of a group to look at where they stand now; they would find out by themselves when their holds were to end. */
export async function tellMembers({ db, engine }: GroupDeps, group: GroupStart): Promise<void> {
  for (const { bookingId } of group.members) {
    const start = await selectOptionalBookingStartOf(db, group.accountId, bookingId)
    if (start) await engine.announceCommands(start)
  }
}

type Answer = Awaited<ReturnType<Engine['command']>>

/** Enough for the history: what it came to is in the database. */
function told(answer: Answer): string {
  if (answer === 'pending') return 'pending'
  return 'refusal' in answer ? answer.refusal.code : String(answer.booking.status)
}
