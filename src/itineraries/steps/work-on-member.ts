import type { BookingEngine } from '../../bookings/engine.ts'
import { selectOptionalBookingStartOf } from '../../bookings/store/booking-starts.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { GroupStart } from '../rules/group-messages.ts'
import type { GroupStatus } from '../rules/groups.ts'
import { insertMemberCommand, selectOptionalMemberIds } from '../store/group-progress.ts'
import { insertMemberRequest } from '../store/groups.ts'

type GroupDeps = { db: Pool; engine: BookingEngine }

/**
 * Opens a group's booking, asks its venue, or undoes the booking. Uses ids created with the group,
 * so repeating this is safe. The booking signals the group afterwards.
 */
export async function workOnMember(
  { db, engine }: GroupDeps,
  { groupId, accountId }: GroupStart,
  { status, position, at }: { status: GroupStatus; position: number; at: Date },
): Promise<void> {
  const ids = await selectOptionalMemberIds(db, groupId, position)
  if (!ids) throw new Error(`group ${groupId} has no member ${position}`)
  const { booking_id: bookingId } = ids
  const isOpening = status === 'trying' || status === 'holding'
  if (isOpening) await insertMemberRequest(db, groupId, position, at)
  const start = await selectOptionalBookingStartOf(db, accountId, bookingId)
  if (!start) return
  if (isOpening) {
    await engine.begin(start)
    return
  }
  const [id, kind, input] =
    status === 'asking'
      ? ([ids.ask_id, 'confirm', { group_id: groupId }] as const)
      : ([ids.undo_id, 'cancel', { by: ids.cancel_by ?? 'network' }] as const)
  await insertMemberCommand(db, { id, bookingId, kind, input, at })
  await engine.announceCommands(start, id)
}

/** Signals a group's bookings to reread their state before their holds end. */
export async function notifyMembers({ db, engine }: GroupDeps, group: GroupStart): Promise<void> {
  for (const { bookingId } of group.members) {
    const start = await selectOptionalBookingStartOf(db, group.accountId, bookingId)
    if (start) await engine.announceCommands(start, group.groupId)
  }
}
