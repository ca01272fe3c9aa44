import { feeBase } from '../../availability/rules/service-terms.ts'
import { type Choice, evaluateServices } from '../../availability/steps/evaluate-services.ts'
import type { RefusalData } from '../../base/errors.ts'
import { type Pool, readTogether, together } from '../../platform/database/sql.ts'
import type { StepContext, Terms } from '../hooks.ts'
import type { BookingStart, Decision } from '../rules/booking-messages.ts'
import { type Limits, newcomerLimits } from '../rules/limits.ts'
import { selectOptionalBookingState } from '../store/bookings.ts'
import { feeFor } from '../store/fees.ts'
import { selectOptionalAnswer } from '../store/requests.ts'
import { explainUnavailable, withAlternatives } from './explain-unavailable.ts'
import { refuseRequest } from './refuse-request.ts'
import { takeAndDecide, takeSlot } from './take-slot.ts'

/**
 * Returns the booking's current state. The first time, tries to hold its slot, which ends as held
 * (inventory taken, event written) or refused (answer stored), in one transaction. Tries services
 * in order; with `feePct`, only those that cost the amount quoted to a prepaying caller.
 */
export const openBooking = (
  db: Pool,
  start: BookingStart,
  at: Date,
  limits: Limits = newcomerLimits,
  { feePct }: { feePct?: number } = {},
): Promise<Decision> =>
  open(db, start, at, {
    fits: (choice) => feePct === undefined || isAsQuoted(choice, start, feePct),
    take: (choice) => takeSlot(db, start, choice, { limits, at }),
  })

/** Like `openBooking`, but decides the booking in the transaction that holds its slot. */
export const openAndDecide = (
  db: Pool,
  start: BookingStart,
  context: StepContext,
): Promise<Decision> =>
  open(db, start, context.at, {
    fits: () => true,
    take: (choice) => takeAndDecide(db, start, choice, context),
  })

type Attempt = {
  fits: (choice: Choice) => boolean
  take: (choice: Choice) => ReturnType<typeof takeSlot>
}

async function open(
  db: Pool,
  start: BookingStart,
  at: Date,
  { fits, take }: Attempt,
): Promise<Decision> {
  const [state, evaluation] = await readTogether(db, (client) =>
    together(
      selectOptionalBookingState(client, start.bookingId),
      evaluateServices(client, start, at),
    ),
  )
  if (state) {
    const isUndecided = state.status === 'held' && start.purpose !== 'hold'
    return { answer: isUndecided ? null : await selectOptionalAnswer(db, start.bookingId), state }
  }
  const refuse = async (refusal: RefusalData) => {
    const isSimilar = refusal.code === 'similar_booking'
    const why = isSimilar ? refusal : await withAlternatives(db, start, refusal, { at })
    return refuseRequest(db, start, why, at)
  }
  for (const choice of evaluation.choices.filter(fits)) {
    const allocation = await take(choice)
    if (!('undone' in allocation)) return allocation
    if (allocation.undone !== 'no_room') return refuse(allocation.undone)
  }
  return refuse(await explainUnavailable(db, start, evaluation, at))
}

function isAsQuoted(
  { service, slot }: Choice,
  { payment, partySize }: BookingStart,
  feePct: Terms['feePct'],
): boolean {
  const base = feeBase(service.rules, partySize, slot.startsAt, slot.endsAt)
  const fee = feeFor(base, feePct, service.currency)
  return payment?.feeMinor === undefined || fee.amount_minor === payment.feeMinor
}
