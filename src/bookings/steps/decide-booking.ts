import type { ConfirmMode } from '../../contract/rules/venue-kinds.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type { StepContext, StepDeps } from '../hooks.ts'
import type { BookingStart, Decision } from '../rules/booking-messages.ts'
import { reasons } from '../rules/timeline-reasons.ts'
import { type LockedBooking, selectBookingForUpdate } from '../store/bookings.ts'
import { selectOptionalAnswer } from '../store/requests.ts'
import { stepOnce } from '../store/transitions.ts'
import { confirm } from './confirm-booking.ts'
import { expireHold } from './end-booking.ts'
import { openBooking } from './open-booking.ts'

/**
 * Takes a booking from its request to its answer: held, then confirmed by the network itself or, at a venue with a system
 * of its own, pending until that answers. Each step is a transaction of its own and happens once; run again, it says where
 * the booking stands.
 */
export async function decideBooking(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  at: Date,
): Promise<Decision> {
  const opening = await openBooking(db, start, at)
  if ('refusal' in opening) return { answer: opening, state: null }
  if (opening.status !== 'held' || start.purpose === 'hold') {
    return { answer: await selectOptionalAnswer(db, start.bookingId), state: opening }
  }
  const { accountId, bookingId } = start
  const [transitionId, decide] = decisionFor(opening.confirmMode)
  return stepOnce<Decision>(db, { accountId, bookingId, transitionId, at }, async (tx) => {
    const held = await selectBookingForUpdate(tx, bookingId)
    return (held.starts_at > at ? decide : expireHold)(tx, held, { ...deps, at })
  })
}

/** How a held booking goes on, and under which name: the network confirms it, or its venue's system or people are asked. */
export function decisionFor(confirmMode: ConfirmMode | undefined) {
  return confirmMode === 'http' || confirmMode === 'request'
    ? (['ask', requestConfirmation] as const)
    : (['confirm', confirmAtOnce] as const)
}

const requestConfirmation = (tx: Db, held: LockedBooking, context: StepContext) =>
  context.venue.request(tx, held, context)

function confirmAtOnce(tx: Db, held: LockedBooking, { at, ...deps }: StepContext) {
  const told = held.hold_until ? reasons.agentConfirms : reasons.networkConfirms
  return confirm(tx, held, deps, { ...told, at })
}
