import { randomUUID } from 'node:crypto'
import { Refusal } from '../../base/errors.ts'
import type { BookingEngine } from '../../bookings/engine.ts'
import type { CommandAnswer, OperatorActName } from '../../bookings/rules/booking-messages.ts'
import { storeOperatorAct } from '../../bookings/steps/operator-act.ts'
import { selectBookingStart } from '../../bookings/store/booking-starts.ts'
import type { Audited } from '../../contract/audit.ts'
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
 * Cancels or rechecks a booking, or retries an abandoned command, in the booking's workflow, which
 * is restarted if it has ended. The action is stored first, so a `pending` one takes effect even
 * without the caller. Throws the booking's refusals and `booking_engine_unavailable`.
 */
export async function actOnBooking(
  { db, engine }: Deps,
  { by, reason }: Reasoned,
  name: OperatorActName,
  id: string,
): Promise<Exclude<CommandAnswer, { refusal: unknown }> | 'pending'> {
  const start = await selectBookingStart(db, id)
  const audited = { ...by, account: { id: start.accountId }, note: { reason } } satisfies Audited
  const act = { name, id: by.requestId ?? randomUUID(), reason }
  const command = await transaction(db, (tx) => storeOperatorAct(tx, id, act, audited))
  const answer = await engine.command(start, command, WAIT_SECONDS)
  if (answer !== 'pending' && 'refusal' in answer) throw new Refusal(answer.refusal)
  return answer
}

/** Makes an endpoint's workflow check for due work; starts the workflow if it has ended. */
export async function wakeEndpoint({ db, engine }: Deps, act: Act, id: string): Promise<void> {
  // No reason is needed, because this repeats what the network does anyway.
  await transaction(db, (tx) => recordAct(tx, act, 'endpoint.woken', { id }))
  const start = { endpointId: id, accountId: accountOfAct(act) }
  await engine.announceDue(start, `operator ${act.by.requestId}`)
}
