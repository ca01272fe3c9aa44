import { timeOf } from '../../base/account-time.ts'
import type { BookingStart, Call } from '../../bookings/rules/booking-messages.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Outbound } from '../../platform/http/client.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { bookingState, testVenueState } from '../schema/venue-responses.ts'
import { connectorContext } from '../store/connectors.ts'
import { markChangeSent } from '../store/open-changes.ts'
import {
  claimOptionalVenueRequest,
  selectOptionalVenueRequest,
  type VenueRequest,
} from '../store/venue-requests.ts'
import { insertStatedResponse } from '../store/venue-responses.ts'
import type { TestVenues } from './test-venues.ts'
import { requestVenue, type VenueAnswer } from './venue-call.ts'
import { messageTo, type VenueMessageType } from './venue-messages.ts'
import type { VenueCall } from './venue-metrics.ts'

/** What calls to venues need; venues post later responses to `publicUrl`. */
export type VenueDeps = {
  db: Pool
  outbound: Outbound
  sealer: Sealer
  publicUrl: string
  log: Log
  count: (call: VenueCall) => void
  testVenues: TestVenues
}

/** `signal` cancels the call in progress. */
type CallDeps = VenueDeps & { signal: AbortSignal; start: BookingStart }

/**
 * Sends the venue the request that is due. Sends a booking or change once; after that, or after a
 * lost call, asks for its status, and resends it only if the venue does not know it. Repeats
 * withdrawals. Stores a decision before returning.
 */
export async function callVenue(
  venueDeps: VenueDeps,
  start: BookingStart,
  signal: AbortSignal,
): Promise<Call> {
  const { bookingId } = start
  const deps = { ...venueDeps, signal, start }
  const request = await claimOptionalVenueRequest(deps.db, bookingId)
  if (request?.venue_sync === 'withdraw_due') return tell(deps, request, 'booking.cancel')
  if (request?.change_phase === 'restoring') return tell(deps, request, 'booking.amend')
  if (!request || !isAsked(request)) return { asked: null, heard: null }
  const isChange = request.change_phase === 'asked'
  const message = isChange ? 'booking.amend' : 'booking.confirm'
  const isFirst = isChange
    ? isReachable(request) && (await markChangeSent(deps.db, bookingId))
    : request.is_first
  if (isFirst) return tell(deps, request, message)
  if (!(await isStillAsked(deps, request))) return { asked: null, heard: null }
  const result = await tell(deps, request, 'booking.status')
  const knows = isChange ? knowsChange(result, request) : result.heard !== 'unknown'
  if (result.heard === null || knows || !(await isStillAsked(deps, request))) return result
  return tell(deps, request, message)
}

const isAsked = ({ status, change_phase }: VenueRequest) =>
  status === 'pending' || change_phase === 'asked'

/** Whether the venue's answer is about the change or the booking's end, not an earlier state. */
const knowsChange = ({ heard, revision = 0 }: Call, { asked_revision }: VenueRequest) =>
  heard === 'cancelled' || revision >= (asked_revision ?? 0)

const isReachable = ({ url, is_test }: VenueRequest) => url !== null || is_test

/** Whether the request is still due: the agent may have cancelled since it was read. */
async function isStillAsked({ db }: VenueDeps, before: VenueRequest): Promise<boolean> {
  const now = await selectOptionalVenueRequest(db, before.booking_id)
  if (!now || !isAsked(now) || now.asked_revision !== before.asked_revision) return false
  return now.status !== 'pending' || now.venue_sync !== 'not_sent' || !isReachable(now)
}

async function tell(deps: CallDeps, request: VenueRequest, type: VenueMessageType): Promise<Call> {
  const startedAt = performance.now()
  const answer = await ask(deps, request, type)
  const result = answer.failure ?? answer.heard ?? 'nothing'
  const ms = performance.now() - startedAt
  if (!request.is_test) deps.count({ message: type, result, ms })
  const line = { booking_id: request.booking_id, venue: request.venue_slug, asked: type, ...answer }
  if (answer.failure) deps.log.warn(line, 'a venue did not answer')
  else deps.log.info(line, 'a venue answered')
  return { asked: type, ...answer }
}

async function ask(
  deps: CallDeps,
  request: VenueRequest,
  type: VenueMessageType,
): Promise<Omit<Call, 'asked'>> {
  const { db, start } = deps
  const { booking_id: bookingId } = request
  const answer = request.is_test
    ? await deps.testVenues.answer(request, type, timeOf(start))
    : await askSystem(deps, request, type)
  if ('failure' in answer) return { heard: null, failure: answer.failure }
  const state = request.is_test ? testVenueState : bookingState
  const { data: statement } = state.safeParse(answer.statement)
  if (statement?.booking_id !== bookingId) {
    return { heard: null, failure: 'not a statement about it' }
  }
  const { messageId: id, receivedAt } = answer
  await insertStatedResponse(db, { id, receivedAt }, statement)
  return { heard: statement.status, revision: statement.revision }
}

function askSystem(
  { outbound, sealer, publicUrl, signal }: CallDeps,
  request: VenueRequest,
  type: VenueMessageType,
): Promise<VenueAnswer> | VenueAnswer {
  const { venue_id: venueId, url, secret: sealed } = request
  if (!url || !sealed) return { failure: 'the venue is no longer connected' }
  const secret = sealer.open(sealed, connectorContext(venueId))
  const message = messageTo(request, type, publicUrl)
  return requestVenue(outbound, { url, secret }, message, {
    maxBodyBytes: 64 * 1024,
    signal: isRepeated(request) ? signal : untilAnswerBy(request, signal),
  })
}

/** A withdrawal has no deadline: it is sent until the venue acknowledges it. */
const isRepeated = ({ venue_sync, change_phase }: VenueRequest) =>
  venue_sync === 'withdraw_due' || change_phase === 'restoring'

/** A later answer would not count, so the call ends at the deadline. */
function untilAnswerBy({ answer_by }: VenueRequest, signal: AbortSignal): AbortSignal {
  const remaining = (answer_by?.getTime() ?? 0) - Date.now()
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, remaining))])
}
