import { selectBookingStart } from '../../bookings/store/booking-starts.ts'
import type { Services } from '../../contract/operation.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import type { Act } from '../steps/act.ts'
import { accountOfAct, recordAct } from '../steps/act.ts'

type Deps = Pick<Services, 'db' | 'engine'>

/** An act without a reason of its own: it repeats what the network does by itself. */
const record = (db: Deps['db'], act: Act, action: 'booking.woken' | 'endpoint.woken', id: string) =>
  transaction(db, (tx: Db) => recordAct(tx, act, action, { id }))

/**
 * Has the workflow of a booking look again at what is due, started if it has ended. Recorded
 * before, so that no act is missing. Throws `booking_engine_unavailable`.
 */
export async function wakeBooking({ db, engine }: Deps, act: Act, id: string): Promise<void> {
  const start = await selectBookingStart(db, id)
  await record(db, act, 'booking.woken', id)
  await engine.announceCommands(start, `operator ${act.by.requestId}`)
}

/** Has the workflow of an endpoint look again at what is due, started if it has ended. */
export async function wakeEndpoint({ db, engine }: Deps, act: Act, id: string): Promise<void> {
  await record(db, act, 'endpoint.woken', id)
  const start = { endpointId: id, accountId: accountOfAct(act) }
  await engine.announceDue(start, `operator ${act.by.requestId}`)
}
