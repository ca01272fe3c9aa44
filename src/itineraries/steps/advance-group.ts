import type { StepDeps } from '../../bookings/hooks.ts'
import { type DoneStep, stepTogether } from '../../bookings/store/transitions.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type { GroupProgress, GroupStart } from '../rules/group-messages.ts'
import { type GroupStatus, isInProgress, nextOf } from '../rules/groups.ts'
import * as stored from '../store/group-progress.ts'
import { answerOf, whyUndone } from './group-answers.ts'
import { settleParts } from './settle-itinerary.ts'

/**
 * Advances a group as far as its bookings allow, and returns the positions to work on. Moves, fees
 * and the stored answer commit together. Safe to repeat.
 */
export const advanceGroup = (
  db: Pool,
  { groupId }: GroupStart,
  deps: StepDeps,
  at: Date,
): Promise<GroupProgress> =>
  stepTogether(db, async (tx) => {
    const steps: DoneStep[] = []
    for (;;) {
      const group = await stored.selectGroupForUpdate(tx, groupId)
      const { kind, status, cancel_by: cancelBy, hold_until } = group
      const members = await stored.selectMembers(tx, groupId)
      const isLate = hold_until !== null && hold_until <= at
      const next = nextOf({ kind, status, cancelBy, members, isLate })
      if ('work' in next) {
        await stored.noteGroupAlive(tx, groupId, at, stored.statesOf(members))
        return { result: { status, work: next.work }, steps }
      }
      const isBooked = next.to === 'confirmed' && kind === 'itinerary'
      const settled = isBooked ? await settleParts(tx, members, deps, at) : []
      if (!settled) continue
      steps.push(...settled)
      await moveGroup(tx, group, members, next.to, at)
    }
  })

/** Stores a group's new status, with its refusal or, at the end, its answer. */
async function moveGroup(
  tx: Db,
  group: stored.LockedGroup,
  members: readonly stored.MemberState[],
  to: GroupStatus,
  at: Date,
) {
  if (isInProgress(to)) {
    const refusal = to === 'undoing' ? whyUndone(group, members) : undefined
    await stored.updateGroupStatus(tx, group, { to, refusal, answer: undefined, at })
    return
  }
  const answer = await answerOf(tx, group, members, to)
  await stored.updateGroupStatus(tx, group, { to, refusal: undefined, answer, at })
  await stored.deleteGuestsNeverTold(tx, group.id)
}
