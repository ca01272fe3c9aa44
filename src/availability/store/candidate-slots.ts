import { type OfferedSlot, offeredSlots } from '../rules/slots.ts'
import type { PartyOffering } from './party-offerings.ts'

/** A slot that the rules allow; what bookings leave of it is not known yet. */
export type CandidateSlot = PartyOffering & { slot: OfferedSlot }

/** The slots of a venue's offerings that begin in a period, in time order, at most `limit`. */
export function candidatesOf(
  offerings: readonly PartyOffering[],
  period: { at: Date; from: Date; until: Date },
  limit = Number.POSITIVE_INFINITY,
): CandidateSlot[] {
  const each = offerings.map((offering) =>
    offeredSlots({ ...offering.query, ...period })
      .take(limit)
      .map((slot) => ({ ...offering, slot }))
      .toArray(),
  )
  const [only = [], ...others] = each
  if (others.length === 0) return only
  const startOf = ({ slot }: CandidateSlot) => slot.startsAt.getTime()
  return each
    .flat()
    .sort((a, b) => startOf(a) - startOf(b) || a.offering.position - b.offering.position)
    .slice(0, limit)
}

const MINUTE_MS = 60_000

/** The last instant, in milliseconds, at which the rules let every one of these slots be booked. */
export const lastCallOf = (candidates: Iterable<CandidateSlot>): number => {
  let last = Number.POSITIVE_INFINITY
  for (const { offering, slot } of candidates) {
    const lead = Math.max(offering.rules.lead_minutes * MINUTE_MS, 1)
    last = Math.min(last, slot.startsAt.getTime() - lead)
  }
  return last
}
