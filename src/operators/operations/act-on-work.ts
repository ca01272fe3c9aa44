import { randomUUID } from 'node:crypto'
import { Refusal } from '../../base/errors.ts'
import type { BookingEngine } from '../../bookings/engine.ts'
import type { CommandAnswer, OperatorActName } from '../../bookings/rules/booking-messages.ts'
import { storeOperatorAct } from '../../bookings/steps/operator-act.ts'
import { selectBookingStart } from '../../bookings/store/booking-starts.ts'
import type { Services } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import type { WebhookEngine } from '../../webhooks/engine.ts'
import type { Act } from '../steps/act.ts'
import { accountOfAct, recordAct } from '../steps/act.ts'
import type { Reasoned } from './act-on-account.ts'

type Deps = Pick<Services, 'db'> & { engine: BookingEngine & WebhookEngine }

/** How long a page waits for the outcome. */
const WAIT_SECONDS = 10

/**
 * Cancels or rechecks a booking, or retries what was given up, in its workflow, which is started if
 * it has ended. The act is stored first, so `pending` comes true without the caller. Throws the
 * refusals of the booking, and `booking_engine_unavailable`.
 */
export async function actOnBooking(
  { db, engine }: Deps,
  { by, reason }: Reasoned,
  name: OperatorActName,
  id: string,
): Promise<Exclude<CommandAnswer, { refusal: unknown }> | 'pending'> {
  const start = await selectBookingStart(db, id)
  const audited = { ...by, account: { id: start.accountId }, said: { reason } }
  const act = { name, id: by.requestId ?? randomUUID(), reason }
  const command = await storeOperatorAct(db, id, act, audited)
  const answer = await engine.command(start, command, WAIT_SECONDS)
  if (answer !== 'pending' && 'refusal' in answer) throw new Refusal(answer.refusal)
  return answer
}

/** Wakes the workflow of an endpoint to look at due work, started if it has ended. */
export async function wakeEndpoint({ db, engine }: Deps, act: Act, id: string): Promise<void> {
  // Has no reason, as it repeats what the network does anyway.
  await transaction(db, (tx) => recordAct(tx, act, 'endpoint.woken', { id }))
  const start = { endpointId: id, accountId: accountOfAct(act) }
  await engine.announceDue(start, `operator ${act.by.requestId}`)
}
