import { upsertMirror } from '../../availability/store/mirror.ts'
import { addDays, dateOf, toLocal } from '../../base/local-time.ts'
import { continuePass } from '../../platform/database/continue-pass.ts'
import { paced } from '../../platform/process/paced.ts'
import { MAX_FAILURES_SHOWN, type PageOfIds } from '../../platform/process/work-through.ts'
import { availabilityState } from '../schema/venue-responses.ts'
import {
  type Connector,
  claimConnector,
  connectorContext,
  selectUnread,
  updateConnectorFailure,
} from '../store/connectors.ts'
import type { VenueDeps } from './call-venue.ts'
import { requestVenue } from './venue-call.ts'
import { answerUrl } from './venue-messages.ts'

/** With a round every 20 s, each of up to 1,200 venues is read once a minute. */
const READ_AGAIN_AFTER_MS = 35_000
const DAYS = 14
/** Reading one venue takes about 20 ms of two processors; the pause lets the doors be served. */
const BETWEEN_READS_MS = 50
/** Well before the activity times out; the next run starts with the remaining venues. */
const MAX_RUN_MS = 120_000
const MAX_BYTES = 1024 * 1024

/** The result of a run, with its first ten failures, those on our side first. */
type MirrorRun = { read: number; failed: number; failures: string[] }

/**
 * Reads the availability of every venue that has not been read lately. A venue that cannot be read
 * or stored does not stop the others.
 */
export async function mirrorAvailability(
  deps: VenueDeps,
  at: Date,
  cancelled: AbortSignal,
): Promise<MirrorRun> {
  const { db } = deps
  const run: MirrorRun = { read: 0, failed: 0, failures: [] }
  const isOver = AbortSignal.any([cancelled, AbortSignal.timeout(MAX_RUN_MS)])
  const before = new Date(at.getTime() - READ_AGAIN_AFTER_MS)
  const inTurn = paced(BETWEEN_READS_MS)
  const work = {
    select: (page: PageOfIds) => selectUnread(db, before, page),
    idOf: ({ id }: { id: string }) => id,
    async help({ id }: { id: string }) {
      await inTurn()
      const connector = isOver.aborted ? undefined : await claimConnector(db, id, { before, at })
      if (!connector) return
      const startedAt = performance.now()
      const [reading] = await Promise.allSettled([read(deps, connector, at, cancelled)])
      const failure = reading.status === 'fulfilled' ? reading.value : 'failed on our side'
      const ms = performance.now() - startedAt
      deps.count({ message: 'availability.read', result: failure ?? 'read', ms })
      await updateConnectorFailure(db, id, failure)
      if (reading.status === 'rejected') throw reading.reason
      if (failure === null) run.read += 1
      else run.failures.push(`${connector.slug}: ${failure}`)
    },
  }
  const ours = await continuePass(deps, 'mirror', work, isOver)
  run.failed = run.failures.length + ours.failed
  run.failures = [...ours.failures, ...run.failures].slice(0, MAX_FAILURES_SHOWN)
  if (run.failed > 0) deps.log.warn(run, 'venues did not say what is free')
  return run
}

/** Null if the venue's availability was stored; otherwise the reason why not. */
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
