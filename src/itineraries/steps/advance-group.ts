import type { StepDeps } from '../../bookings/hooks.ts'
import { type DoneStep, stepTogether } from '../../bookings/store/transitions.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type { GroupProgress, GroupStart } from '../rules/group-messages.ts'
import { type Group, isInProgress, nextOf } from '../rules/groups.ts'
import {
  deleteGuestsNeverTold,
  type LockedGroup,
  type MemberState,
  noteGroupAlive,
  selectGroupForUpdate,
  selectMembers,
  updateGroupStatus,
} from '../store/group-progress.ts'
import { answerOf, whyUndone } from './group-answers.ts'
import { settleParts } from './settle-itinerary.ts'

/**
 * Moves a group as far as it can go by what has become of its bookings, and answers on which of them there is work to do. The
 * moves, the fees that they bring and the stored answer commit together; run again, it says where the group stands.
 */
export async function advanceGroup(
  db: Pool,
  { groupId }: GroupStart,
  deps: StepDeps,
  at: Date,
): Promise<GroupProgress> {
  return stepTogether(db, async (tx) => {
    const steps: DoneStep[] = []
    for (;;) {
      const group = await selectGroupForUpdate(tx, groupId)
      const members = await selectMembers(tx, groupId)
      const next = nextOf(asGroup(group, members, at))
      if ('work' in next) {
        await noteGroupAlive(tx, groupId, at)
        return { result: { status: group.status, work: next.work }, steps }
      }
      if (next.to === 'confirmed' && group.kind === 'itinerary') {
        const settled = await settleParts(tx, members, deps, at)
        if (!settled) continue
        steps.push(...settled)
      }
      await move(tx, group, members, next.to, at)
    }
  })
}

async function move(
  tx: Db,
  group: LockedGroup,
  members: readonly MemberState[],
  to: LockedGroup['status'],
  at: Date,
) {
  const refusal = to === 'undoing' ? whyUndone(group, members) : undefined
  const answer = isInProgress(to) ? undefined : await answerOf(tx, group, members, to)
  await updateGroupStatus(tx, group, { to, refusal, ...(answer && { answer }), at })
  if (!isInProgress(to)) await deleteGuestsNeverTold(tx, group.id)
}

const asGroup = (group: LockedGroup, members: readonly MemberState[], at: Date): Group => ({
  kind: group.kind,
  status: group.status,
  cancelBy: group.cancel_by,
  members,
  isLate: group.hold_until !== null && group.hold_until <= at,
})
