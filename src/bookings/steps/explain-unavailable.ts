import type { Evaluation, PartyRequest } from '../../availability/steps/evaluate-offerings.ts'
import { selectAlternatives } from '../../availability/store/alternatives.ts'
import { type RefusalData, refusalData } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { selectOverdueHolds } from '../store/holds.ts'

/** Why no slot is available. A slot that only an overdue hold occupies is free in a moment. */
export async function explainUnavailable(
  db: Db,
  { venueName, partySize, slotTime, timezone }: PartyRequest,
  { choices, refusal }: Evaluation,
  at: Date,
): Promise<RefusalData> {
  if (refusal) return refusal
  for (const { offering, slot } of choices) {
    const span = { offeringId: offering.id, from: slot.startsAt, until: slot.occupiedUntil }
    const [overdue] = await selectOverdueHolds(db, span, at)
    const left = (overdue?.ends_at?.getTime() ?? 0) - at.getTime()
    const retry_after = Math.max(0, Math.ceil(left / 1000)) + 1
    if (overdue) return refusalData('slot_held', undefined, { retry_after })
  }
  const what = `${venueName} has nothing left for ${partySize} at ${slotTime} (${timezone}).`
  return refusalData('slot_unavailable', what)
}

/** The refusal, with alternatives. */
export async function withAlternatives(
  db: Db,
  { venueId, slotTime, partySize }: PartyRequest,
  refusal: RefusalData,
  at: Date,
): Promise<RefusalData> {
  const alternatives = await selectAlternatives(db, venueId, { slotTime, partySize, at, limit: 5 })
  return { ...refusal, facts: { ...refusal.facts, alternatives } }
}
