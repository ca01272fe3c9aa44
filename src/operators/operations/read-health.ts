import { READING_LATE_MS } from '../../availability/rules/mirror.ts'
import { DAY_MS } from '../../base/durations.ts'
import { stuckSince } from '../../bookings/rules/late.ts'
import { countReadings } from '../../confirmation/store/connectors.ts'
import type { Services } from '../../contract/operation.ts'
import { selectVenuesWithoutChannel } from '../../notices/store/venues-without-channel.ts'
import { selectFailingRows } from '../../platform/database/failing-rows.ts'
import type { ServerState } from '../../platform/temporal/queues.ts'
import { GIVEN_UP_DAYS } from '../rules/stuck.ts'
import { selectConnectedVenues } from '../store/connected-venues.ts'
import { MAX_SHOWN, selectStuck } from '../store/stuck.ts'
import { selectTroubledEndpoints } from '../store/webhooks.ts'
import { readStuckPayments } from './payments.ts'

type Reads = Pick<Services, 'db'> & { engine: ServerState }

/** Bookings that need an operator. Covers all accounts, so it is for operators only. */
export const readStuckBookings = ({ db }: Pick<Reads, 'db'>, at: Date) =>
  selectStuck(db, {
    ...stuckSince(at),
    givenUp: new Date(at.getTime() - GIVEN_UP_DAYS * DAY_MS),
  })

/** Endpoints that fail or were disabled. Covers all accounts, so it is for operators only. */
export const readTroubledEndpoints = ({ db }: Pick<Reads, 'db'>) => selectTroubledEndpoints(db)

/** Rows that passes cannot process. Covers all accounts, so it is for operators only. */
export const readFailingRows = ({ db }: Pick<Reads, 'db'>) => selectFailingRows(db, MAX_SHOWN)

/** Venues with their own system, starting with those in trouble. */
export const readConnectedVenues = ({ db }: Pick<Reads, 'db'>, at: Date) =>
  selectConnectedVenues(db, new Date(at.getTime() - READING_LATE_MS))

/** Venues whose people confirm, although nobody is told of a request. */
export const readVenuesWithoutChannel = ({ db }: Pick<Reads, 'db'>) =>
  selectVenuesWithoutChannel(db)

/** The state of the whole network. Covers all accounts, so it is for operators only. */
export async function readHealth(services: Reads, at: Date) {
  const { db, engine } = services
  const [queues, stuck, endpoints, readings, payments, failing, withoutChannel] = await Promise.all(
    [
      // Null if the Temporal server does not answer.
      engine.queues().catch(() => null),
      readStuckBookings(services, at),
      selectTroubledEndpoints(db),
      countReadings(db, new Date(at.getTime() - READING_LATE_MS)),
      readStuckPayments(services, at),
      readFailingRows(services),
      selectVenuesWithoutChannel(db),
    ],
  )
  return { queues, stuck, endpoints, readings, payments, failing, withoutChannel }
}
export type Health = Awaited<ReturnType<typeof readHealth>>
