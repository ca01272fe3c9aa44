import {
  type Choice,
  claimOf,
  evaluateOfferings,
  takeInventory,
} from '../../availability/steps/evaluate-offerings.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { type RefusalData, refusalData } from '../../base/errors.ts'
import type { ConfirmMode } from '../../base/venue-kinds.ts'
import { type Db, type Pool, readTogether, together } from '../../platform/database/sql.ts'
import type { StepContext, StepDeps, Terms } from '../hooks.ts'
import { HOLD_MINUTES, MOST_HOLDS } from '../rules/booking.ts'
import type { BookingStart, BookingState, Decision, Opening } from '../rules/booking-messages.ts'
import { type Limits, newcomerLimits } from '../rules/limits.ts'
import { reasons } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import {
  insertHeldBooking,
  type LockedBooking,
  selectBookingForUpdate,
  selectOptionalBookingState,
} from '../store/bookings.ts'
import { feeFor } from '../store/fees.ts'
import { countHold } from '../store/holds.ts'
import {
  clearNaturalKey,
  selectOptionalAnswer,
  updateRequestAnswer,
  updateWaitingAnswers,
} from '../store/requests.ts'
import {
  type Done,
  type DoneStep,
  type Step,
  selectOptionalResult,
  stepOnce,
} from '../store/transitions.ts'
import { confirm, moveToConfirmed } from './confirm.ts'
import { endRefused, expireHold } from './end-booking.ts'
import { explainUnavailable, withAlternatives } from './explain-unavailable.ts'
import { whyNotTake } from './limits.ts'

/**
 * Takes a booking from its request to its answer. The hold, and the confirmation or the request to
 * its venue, are two steps of one transaction. A booking whose venue is asked is pending until it
 * responds. Each step happens once; run again, it answers the state of the booking. A slot is taken
 * when `mayCommit` resolves, and not when it throws.
 */
export async function decideBooking(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  at: Date,
  mayCommit?: () => Promise<void>,
): Promise<Decision> {
  const { payment } = start
  const { limits } = deps.terms
  const whole = payment ? { terms: deps.terms } : { deps }
  const opening = await open(db, start, { limits, ...whole, at, mayCommit })
  if ('answer' in opening) return opening
  if ('refusal' in opening) return { answer: opening, state: null }
  if (opening.status !== 'held' || start.purpose === 'hold') {
    return { answer: await selectOptionalAnswer(db, start.bookingId), state: opening }
  }
  const { accountId, bookingId } = start
  const paid = payment ? await deps.hooks.paymentOf(db, bookingId, at) : 'settled'
  if (paid !== 'settled' && 'payBy' in paid) return { answer: null, state: { ...opening, ...paid } }
  if (paid !== 'settled') return endUnpaid(db, start, paid.refusal, { ...deps, at })
  const [transitionId, decide] = decisionFor(opening.confirmMode)
  return stepOnce<Decision>(db, { accountId, bookingId, transitionId, at }, async (tx) => {
    const held = await selectBookingForUpdate(tx, bookingId)
    return (held.starts_at > at ? decide : expireHold)(tx, held, { ...deps, at })
  })
}

/** Ends a held booking whose payment was not settled. */
const endUnpaid = (
  db: Pool,
  { accountId, bookingId }: BookingStart,
  { code, message, facts }: RefusalData,
  context: StepContext,
): Promise<Decision> =>
  stepOnce<Decision>(
    db,
    { accountId, bookingId, transitionId: 'unpaid', at: context.at },
    async (tx) => {
      const held = await selectBookingForUpdate(tx, bookingId)
      const refusal = { code, message, facts: { ...facts, booking_id: bookingId } }
      const move = {
        to: 'failed',
        nextActionAt: null,
        reasonCode: code,
        ...reasons.unpaid,
      } as const
      return endRefused(tx, held, { ...move, refusal }, context)
    },
  )

/** The next step of a held booking: the network confirms it, or its venue is asked. */
export const decisionFor = (confirmMode: ConfirmMode | undefined) =>
  confirmMode === 'http' || confirmMode === 'request'
    ? (['ask', requestConfirmation] as const)
    : (['confirm', confirmAtOnce] as const)

const requestConfirmation = (tx: Db, held: LockedBooking, context: StepContext) =>
  context.venue.request(tx, held, context)

const confirmAtOnce = (tx: Db, held: LockedBooking, context: StepContext) =>
  confirm(tx, held, held.hold_until ? reasons.agentConfirms : reasons.networkConfirms, context)

/**
 * What a first step needs; with `deps` it confirms the booking too, or asks its venue. A booking
 * that is paid first needs the `terms`, to hold only what costs what was quoted.
 */
type Opener = {
  limits: Limits
  deps?: StepDeps
  terms?: Terms
  at: Date
  mayCommit?: (() => Promise<void>) | undefined
}

/**
 * The state of the booking. The first time, an attempt to hold its slot: held (inventory taken,
 * event written) or refused (answer stored), each in one transaction. Offerings are tried in order.
 */
export const openBooking = (
  db: Pool,
  start: BookingStart,
  at: Date,
  limits: Limits = newcomerLimits,
): Promise<Opening> => open(db, start, { limits, at }) as Promise<Opening>

async function open(db: Pool, start: BookingStart, opener: Opener): Promise<Opening | Decision> {
  const { at } = opener
  const evaluation = await evaluate(db, start, at)
  if ('status' in evaluation) return evaluation
  for (const choice of evaluation.choices.filter((one) => isAsQuoted(one, start, opener))) {
    const taken = await holdSlot(db, start, choice, opener)
    if (taken) return 'code' in taken ? refuseRequest(db, start, taken, at) : taken
  }
  return refuseRequest(db, start, await explainUnavailable(db, start, evaluation, at), at)
}

/** What the slot's offerings allow, or the state of the booking if it exists. */
async function evaluate(db: Pool, start: BookingStart, at: Date) {
  const [existing, evaluation] = await readTogether(db, (client) =>
    together(
      selectOptionalBookingState(client, start.bookingId),
      evaluateOfferings(client, start, at),
    ),
  )
  return existing ?? evaluation
}

/** Whether a choice costs what was quoted to a caller who pays first. */
function isAsQuoted({ offering }: Choice, start: BookingStart, { terms }: Opener) {
  const { payment, partySize } = start
  if (!payment || !terms) return true
  const { rules, currency } = offering
  const fee = feeFor(rules.spend_per_guest_minor, partySize, terms.feePct, currency)
  return fee.amount_minor === payment.feeMinor
}

class SlotTaken extends Error {}

/** Rolls back a hold that the account may not have. */
class NotAllowed extends Error {
  readonly refusal: RefusalData
  constructor(refusal: RefusalData) {
    super(refusal.code)
    this.refusal = refusal
  }
}

/**
 * Holds the slot of one offering, and confirms it or asks its venue; undefined when the slot is
 * taken, a refusal at a limit.
 */
export async function holdSlot(
  db: Pool,
  start: BookingStart,
  choice: Choice,
  { limits, deps, at, mayCommit }: Opener,
): Promise<Opening | Decision | RefusalData | undefined> {
  const isHold = start.purpose === 'hold'
  const read = (tx: Db) => whyNotTake(tx, start, choice.slot, { limits, at })
  const hold = holdOf(start, at)
  try {
    if (deps && !isHold) {
      const isAsked = choice.offering.confirm_mode !== 'auto'
      return await stepOnce(
        db,
        { ...hold, transitionId: isAsked ? 'ask' : 'confirm' },
        async (
          tx,
          why: RefusalData | undefined,
        ): Promise<Done<Decision> & { before: DoneStep }> => {
          const { done, held } = await takeSlot(tx, start, choice, { why, at })
          const context = { ...deps, at }
          const decided = isAsked
            ? await requestConfirmation(tx, held, context)
            : await moveToConfirmed(tx, held, reasons.networkConfirms, context)
          await mayCommit?.()
          return { ...decided, before: { ...hold, done } }
        },
        {
          read,
          write: async (tx, { answer }) =>
            answer && updateWaitingAnswers(tx, start.bookingId, answer),
        },
      )
    }
    const take = async (tx: Db, why: RefusalData | undefined) => {
      const { done } = await takeSlot(tx, start, choice, { why, at })
      await mayCommit?.()
      return done
    }
    return await stepOnce(db, hold, take, { read })
  } catch (error) {
    if (error instanceof SlotTaken) return undefined
    if (error instanceof NotAllowed) return error.refusal
    const opening = await selectOptionalResult<Opening>(db, hold)
    if (opening) return opening
    throw error
  }
}

/** Holds a slot in its step's transaction; answers the locked booking too. */
async function takeSlot(
  tx: Db,
  start: BookingStart,
  choice: Choice,
  { why, at }: { why: RefusalData | undefined; at: Date },
): Promise<{ done: Done<BookingState>; held: LockedBooking }> {
  if (why) throw new NotAllowed(why)
  const { bookingId, accountId, group, holdMs = HOLD_MINUTES * MINUTE_MS } = start
  const isHold = start.purpose === 'hold'
  // A part of an itinerary is held until the itinerary's deadline.
  const until = group?.holdUntil ?? at.getTime() + holdMs
  const holdUntil = isHold ? new Date(until) : null
  const [result, booking, held, isTaken] = await together(
    insertHeldBooking(tx, start, choice, { holdUntil, at }),
    selectBooking(tx, bookingId),
    selectBookingForUpdate(tx, bookingId),
    takeInventory(tx, choice.offering, claimOf(choice, start)),
  )
  if (!isTaken) throw new SlotTaken()
  // Its account was on pro a moment ago, and has no payment for it.
  if (held.is_unpaid) throw new NotAllowed(refusalData('plan_required'))
  if (isHold) {
    const [isCounted] = await together(
      group ? Promise.resolve(true) : countHold(tx, accountId),
      updateRequestAnswer(tx, bookingId, { booking }),
    )
    const what = `An account can have ${MOST_HOLDS} holds at a time.`
    if (!isCounted) throw new NotAllowed(refusalData('hold_limit', what))
  }
  return { done: { result, events: [{ type: 'booking.held', data: { booking } }] }, held }
}

const holdOf = ({ accountId, bookingId }: BookingStart, at: Date): Step => ({
  accountId,
  bookingId,
  transitionId: 'hold',
  at,
})

const refuseRequest = async (db: Pool, start: BookingStart, refusal: RefusalData, at: Date) =>
  storeRefusal(db, start, await withAlternatives(db, start, refusal, { at }), at)

/** Answers a request with a refusal, unless it has been decided. */
export function storeRefusal(
  db: Pool,
  start: BookingStart,
  refusal: RefusalData,
  at: Date,
): Promise<Opening> {
  const facts = { ...refusal.facts, booking_id: start.bookingId }
  const answer = { refusal: { ...refusal, facts } }
  return stepOnce<Opening>(db, holdOf(start, at), async (tx) => {
    await updateRequestAnswer(tx, start.bookingId, answer)
    await clearNaturalKey(tx, start.bookingId)
    return { result: answer, events: [] }
  })
}
