import { setTimeout } from 'node:timers/promises'
import { upsertMirror } from '../../availability/store/mirror.ts'
import { addDays, dateOf, toLocal } from '../../contract/rules/local-time.ts'
import { type Shard, whole } from '../../contract/rules/shards.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import { availabilityState } from '../schema/venue-responses.ts'
import {
  type Connector,
  claimUnreadConnectors,
  connectorContext,
  updateConnectorFailure,
} from '../store/connectors.ts'
import { requestVenue } from '../venue-call.ts'
import type { VenueDeps } from './call-venue.ts'
import { answerUrl } from './venue-messages.ts'

/** With a round every 20 s, each of up to 1,200 venues of a shard is read once a minute. */
const READ_AGAIN_AFTER_MS = 35_000
const DAYS = 14
const AT_ONCE = 20
/** Reading one venue takes some 20 ms of two processors; the doors are served in between. */
const BETWEEN_READS_MS = 50
/** Well before the activity times out; the next run starts with the venues that are left. */
const LONGEST_RUN_MS = 120_000
const MAX_BYTES = 1024 * 1024

/** The result of a run, with the first ten failures. */
type MirrorRun = { read: number; failed: number; failures: string[] }

/** Reads the availability of every venue of a shard that was not read lately, 20 at a time. */
export async function mirrorAvailability(
  deps: VenueDeps,
  at: Date,
  cancelled: AbortSignal,
  shard = whole,
): Promise<MirrorRun> {
  const run: MirrorRun = { read: 0, failed: 0, failures: [] }
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(LONGEST_RUN_MS)])
  const queue = unread(deps.db, at, signal, shard)
  const readers = Array.from({ length: AT_ONCE }, async () => {
    for await (const connector of queue) {
      const failed = onOurSide(deps.log, connector)
      const started = performance.now()
      const result = await read(deps, connector, at, cancelled).catch(failed)
      const ms = performance.now() - started
      deps.count({ message: 'availability.read', result: result ?? 'read', ms })
      const store = updateConnectorFailure(deps.db, connector.venue_id, result)
      const failure = await store.then(() => result, failed)
      run.read += failure === null ? 1 : 0
      run.failed += failure === null ? 0 : 1
      if (failure !== null && run.failures.length < 10) {
        run.failures.push(`${connector.slug}: ${failure}`)
      }
    }
  })
  await Promise.all(readers)
  if (run.failed > 0) deps.log.warn(run, 'venues did not say what is free')
  return run
}

/** One venue that cannot be read or written must not end the run for the others. */
const onOurSide =
  (log: Log, { slug }: Connector) =>
  (error: unknown) => {
    log.error({ venue: slug, error: loggable(error) }, 'a venue was not read')
    return 'failed on our side'
  }

/** Yields connectors to read. Claims few at a time, so that an early end leaves the rest. */
async function* unread(
  db: Pool,
  at: Date,
  signal: AbortSignal,
  shard: Shard,
): AsyncGenerator<Connector> {
  const before = new Date(at.getTime() - READ_AGAIN_AFTER_MS)
  while (!signal.aborted) {
    const lot = await claimUnreadConnectors(db, before, { at, limit: AT_ONCE, shard })
    if (lot.length === 0) return
    for (const connector of lot) {
      yield connector
      await setTimeout(BETWEEN_READS_MS)
    }
  }
}

/** Null when the venue's availability was stored, otherwise why not. */
async function read(
  { db, outbound, sealer, publicUrl }: VenueDeps,
  { venue_id, url, secret: sealed, timezone }: Connector,
  at: Date,
  signal: AbortSignal,
): Promise<string | null> {
  const secret = sealer.open(sealed, connectorContext(venue_id))
  const from = dateOf(toLocal(timezone, at))
  const to = addDays(from, DAYS - 1)
  const answer_url = answerUrl(publicUrl, venue_id)
  const message = { type: 'availability.read', venue_id, from, to, timezone, answer_url }
  const answer = await requestVenue(outbound, { url, secret }, message, {
    maxBodyBytes: MAX_BYTES,
    signal,
  })
  if ('failure' in answer) return answer.failure
  const { data: state } = availabilityState.safeParse(answer.statement)
  if (state?.venue_id !== venue_id) return 'not a statement of its availability'
  await upsertMirror(db, venue_id, { ...state, asOf: state.as_of })
  return null
}
