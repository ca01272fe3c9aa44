import type { StepDeps } from '../../bookings/hooks.ts'
import { type DoneStep, stepTogether } from '../../bookings/store/transitions.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { GroupProgress, GroupStart } from '../rules/group-messages.ts'
import { isInProgress, nextOf } from '../rules/groups.ts'
import * as stored from '../store/group-progress.ts'
import { answerOf, whyUndone } from './group-answers.ts'
import { settleParts } from './settle-itinerary.ts'

/**
 * Moves a group as far as its bookings allow, and returns which of them to work on. The moves,
 * their fees and the stored answer commit together. Repeating it is safe.
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
      const { to } = next
      if (to === 'confirmed' && kind === 'itinerary') {
        const settled = await settleParts(tx, members, deps, at)
        if (!settled) continue
        steps.push(...settled)
      }
      const refusal = to === 'undoing' ? whyUndone(group, members) : undefined
      const answer = isInProgress(to) ? undefined : await answerOf(tx, group, members, to)
      await stored.updateGroupStatus(tx, group, { to, refusal, answer, at })
      if (!isInProgress(to)) await stored.deleteGuestsNeverTold(tx, groupId)
    }
  })
