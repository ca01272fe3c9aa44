import { setTimeout } from 'node:timers/promises'
import canonicalize from 'canonicalize'
import { Refusal } from '../../../src/base/errors.ts'
import type { BookingStart, ConfirmAnswer } from '../../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../../src/bookings/steps/decide-booking.ts'
import {
  selectBookingStart,
  selectLostBookings,
} from '../../../src/bookings/store/booking-starts.ts'
import type { Pool } from '../../../src/platform/database/sql.ts'
import { isDatabaseUnavailable } from '../../../src/platform/database/unavailable.ts'
import { settlePayment } from '../../../src/x402/steps/settle-payment.ts'
import { stepDeps } from '../../../test/support/terms.ts'
import type { Arena } from '../arena.ts'
import type { Random } from '../random.ts'
import { type Chain, createChain, type Death, Died } from './chain.ts'
import { createPayer } from './payer.ts'

type Site = { db: Pool; arena: Arena; random: Random }
type Plan = {
  /** where a process dies, once; null: nowhere */
  death: Death | null
  /** how many calls in a hundred the facilitator leaves unanswered */
  percent: number
}

/** The result of a run: its answers, in canonical JSON, and the caller's charge. */
export type Run = { answers: string[]; charges: number; unknown: number; died: boolean }

/** More lives than any run needs; each is a process that takes over from a dead one. */
const MAX_LIVES = 200
/** A database server takes a second or two to restart. */
const DATABASE_PAUSE_MS = 100

/**
 * One paid booking, from its quote to its answer, by processes that die on the way. Its caller
 * repeats the request with the same payment until it is answered, and then once more.
 */
export async function runPayment({ db, arena, random }: Site, plan: Plan): Promise<Run> {
  const run: Run = { answers: [], charges: 0, unknown: 0, died: false }
  const at = (death: Death) => {
    if (death !== plan.death || run.died) return
    run.died = true
    throw new Died(death)
  }
  const chain = createChain({ random, percent: plan.percent, at })
  const decide = async (start: BookingStart) => {
    at('api, after the request is stored')
    const answer = await workflow(db, start, chain, at)
    at('api, before it answers')
    return answer
  }
  const dying = { ...chain.facilitator }
  dying.verify = async () => {
    at('api, before the request is stored')
    return undefined
  }
  const payer = createPayer(db, dying, decide)
  const slotTime = random.pick(arena.slotTimes)
  let payment: unknown
  for (let lives = 0; lives < MAX_LIVES && run.answers.length < 2; lives += 1) {
    try {
      payment ??= await payer.payFor(arena, slotTime)
      const answer = await payer.send(arena, slotTime, payment)
      if (answer.status === 'confirmed') run.answers.push(canonicalize(answer) ?? '')
    } catch (error) {
      if (!(error instanceof Refusal) && !isInterruption(error)) throw error
      await setTimeout(isDatabaseUnavailable(error) ? DATABASE_PAUSE_MS : 0)
    }
  }
  run.charges = [...chain.moved.values()].reduce((sum, times) => sum + times, 0)
  run.unknown = chain.unknown()
  return run
}

/** The booking's workflow: the same steps in the same order, each retried until it succeeds. */
async function workflow(
  db: Pool,
  start: BookingStart,
  { facilitator }: Pick<Chain, 'facilitator'>,
  at: (death: Death) => void,
): Promise<ConfirmAnswer | 'pending'> {
  for (;;) {
    at('worker, before the slot is held')
    const { answer, state } = await decideBooking(db, start, stepDeps, new Date())
    if (!state?.payBy) {
      at('worker, after the confirmation')
      return answer ?? 'pending'
    }
    at('worker, after the slot is held')
    await settled(db, start, facilitator)
    at('worker, after the outcome is stored')
  }
}

const MAX_ATTEMPTS = 1_000

async function settled(db: Pool, { bookingId }: BookingStart, facilitator: Chain['facilitator']) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await settlePayment({ db, facilitator }, bookingId, new Date())
    } catch (error) {
      if (error instanceof Died || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/** Failures that look to a caller like a lost connection. */
const isInterruption = (error: unknown) => error instanceof Died || isDatabaseUnavailable(error)

/** Does the sweep's part: resumes bookings whose callers will not return. */
export async function sweepPayments(db: Pool, random: Random): Promise<void> {
  const chain = createChain({ random, percent: 0, at: () => {} })
  const later = new Date(Date.now() + 3_600_000)
  for (const id of await selectLostBookings(db, later, { after: null, limit: 1_000 })) {
    const start = await selectBookingStart(db, id)
    if (start.payment) await workflow(db, start, chain, () => {})
  }
}
