import { HOUR_MS } from '../../contract/rules/durations.ts'
import { withTexts } from '../../contract/twins.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import type { StepDeps } from '../hooks.ts'
import { type DepositReason, depositWords } from '../rules/deposits.ts'
import { type LockedBooking, selectBookingForUpdate } from '../store/bookings.ts'
import { type Deposit, selectDepositsToReturn, updateDeposit } from '../store/deposits.ts'
import { appendToTimeline } from '../store/timeline.ts'
import { type NewEvent, stepOnce } from '../store/transitions.ts'

type Deps = Pick<StepDeps, 'deposits'> & { at: Date }

/** Takes the deposit of a booking that is being confirmed, if it owes one; answers the event. */
export async function takeDeposit(
  tx: Db,
  booking: Pick<LockedBooking, 'id' | 'deposit'>,
  { deposits, at }: Deps,
): Promise<NewEvent[]> {
  if (booking.deposit?.status !== 'due') return []
  const move = { from: 'due', to: 'taken', reason: null, at } as const
  const deposit = await updateDeposit(tx, booking.id, move)
  if (!deposit) return []
  await deposits.take(tx, deposit, at)
  return [eventOf(deposit, null)]
}

/**
 * Keeps a deposit that was taken or returns it, and voids one that was only due. What was kept is
 * returned on the venue's word or after a dispute; nothing takes back a return.
 */
export async function settleDeposit(
  tx: Db,
  booking: Pick<LockedBooking, 'id' | 'deposit'>,
  { to, reason }: { to: 'kept' | 'returned'; reason: DepositReason },
  { deposits, at }: Deps,
): Promise<NewEvent[]> {
  const from = booking.deposit?.status
  if (from === 'due') {
    await updateDeposit(tx, booking.id, { from, to: 'void', reason: null, at })
    return []
  }
  if (from !== 'taken' && !(from === 'kept' && to === 'returned')) return []
  const deposit = await updateDeposit(tx, booking.id, { from, to, reason, at })
  if (!deposit) return []
  if (to === 'kept') await deposits.keep(tx, deposit, at)
  else await deposits.giveBack(tx, deposit, from === 'kept', at)
  return [eventOf(deposit, reason)]
}

function eventOf({ booking_id, status, ...deposit }: Deposit, reason: DepositReason | null) {
  const { kind, per, amount_minor, currency, is_demo } = deposit
  const amount = withTexts({ amount_minor, currency })
  return { type: `deposit.${status}`, data: { booking_id, kind, per, ...amount, is_demo, reason } }
}

/** A venue can report for 48 hours that nobody came; an hour more, for what is under way. */
const RETURNED_AFTER_HOURS = 49
const AT_A_TIME = 200

/** Returns the deposits of guests who came, once their venue can no longer say otherwise. */
export async function returnDeposits(
  { db, steps }: { db: Pool; steps: StepDeps },
  at: Date,
): Promise<Pass> {
  const endedBefore = new Date(at.getTime() - RETURNED_AFTER_HOURS * HOUR_MS)
  const due = await selectDepositsToReturn(db, endedBefore, AT_A_TIME)
  for (const { id: bookingId, account_id: accountId } of due) {
    const step = { accountId, bookingId, transitionId: 'deposit_returned', at }
    await stepOnce(db, step, async (tx) => {
      const booking = await selectBookingForUpdate(tx, bookingId)
      if (booking.status !== 'completed') throw new Error('the booking has changed')
      const to = { to: 'returned', reason: 'visited' } as const
      const events = await settleDeposit(tx, booking, to, { ...steps, at })
      const why = 'The venue had 48 hours to report that the guest did not come, and did not.'
      if (booking.deposit && events.length > 0) {
        const what = depositWords(booking.deposit, 'returned')
        const reason = { by: 'network', why, what } as const
        await appendToTimeline(tx, booking, reason, at)
      }
      return { result: { returned: events.length > 0 }, events }
    })
  }
  return { done: due.length, failed: 0, failures: [], next: null }
}
