import type { BookingStart, Call } from '../src/model/booking-messages.ts'
import type { Outbound } from '../src/outbound/client.ts'
import type { Sealer } from '../src/outbound/sealing.ts'
import { askVenue } from '../src/outbound/venue-call.ts'
import { bookingState } from '../src/schema/venue-statements.ts'
import { markSent } from '../src/store/bookings.ts'
import { connectorContext } from '../src/store/connectors.ts'
import type { Pool } from '../src/store/sql.ts'
import { insertStatement } from '../src/store/statements.ts'
import { selectOptionalVenueQuestion, type VenueQuestion } from '../src/store/venue-questions.ts'
import type { Log } from '../src/telemetry/log.ts'
import type { VenueCall } from '../src/telemetry/venue-metrics.ts'
import { type Message, messageTo } from './venue-messages.ts'
import { whileBeating } from './while-beating.ts'

/** What the calls to venues need; `publicUrl` is where venues post what they state later. */
export type VenueDeps = {
  db: Pool
  outbound: Outbound
  sealer: Sealer
  publicUrl: string
  log: Log
  count: (call: VenueCall) => void
}

/**
 * Says to the venue what is due: the booking, once; afterwards, or when a call was lost, the question what became of it, and the
 * booking again only where the venue has never heard of it; a withdrawal. A yes or no is written down before this returns.
 */
export async function callVenue(deps: VenueDeps, { bookingId }: BookingStart): Promise<Call> {
  const question = await selectOptionalVenueQuestion(deps.db, bookingId)
  if (question?.venue_sync === 'withdraw_due') return tell(deps, question, 'booking.cancel')
  if (question?.status !== 'pending') return { asked: null, heard: null }
  const isConnected = question.url !== null
  if (isConnected && (await markSent(deps.db, bookingId))) {
    return tell(deps, question, 'booking.confirm')
  }
  if (!(await isStillAsked(deps, bookingId))) return { asked: null, heard: null }
  const known = await tell(deps, question, 'booking.status')
  if (known.heard !== 'unknown' || !(await isStillAsked(deps, bookingId))) return known
  return tell(deps, question, 'booking.confirm')
}

/** The agent may have cancelled since the question was read: then nobody asks the venue, which would not be told of the end. */
async function isStillAsked({ db }: VenueDeps, bookingId: string): Promise<boolean> {
  const now = await selectOptionalVenueQuestion(db, bookingId)
  return now?.status === 'pending' && (now.venue_sync !== 'not_sent' || now.url === null)
}

async function tell(deps: VenueDeps, question: VenueQuestion, asked: Message): Promise<Call> {
  const started = performance.now()
  const answer = await ask(deps, question, asked)
  const result = answer.failure ?? answer.heard ?? 'nothing'
  deps.count({ message: asked, result, ms: performance.now() - started })
  const line = { booking_id: question.booking_id, venue: question.venue_slug, asked, ...answer }
  if (answer.failure) deps.log.warn(line, 'a venue did not answer')
  else deps.log.info(line, 'a venue answered')
  return { asked, ...answer }
}

async function ask(
  { db, outbound, sealer, publicUrl }: VenueDeps,
  question: VenueQuestion,
  asked: Message,
): Promise<Omit<Call, 'asked'>> {
  const { booking_id: bookingId, venue_id: venueId, url, secret: sealed } = question
  if (!url || !sealed) return { heard: null, failure: 'the venue is no longer connected' }
  const secret = sealer.open(sealed, connectorContext(venueId))
  const answer = await whileBeating((signal) =>
    askVenue(outbound, { url, secret }, messageTo(question, asked, publicUrl), {
      maxBodyBytes: 64 * 1024,
      signal: asked === 'booking.cancel' ? signal : untilAnswerBy(question, signal),
    }),
  )
  if ('failure' in answer) return { heard: null, failure: answer.failure }
  const { data: statement } = bookingState.safeParse(answer.statement)
  if (statement?.booking_id !== bookingId)
    return { heard: null, failure: 'not a statement about it' }
  const { messageId: id, receivedAt } = answer
  await insertStatement(db, { id, receivedAt }, statement)
  return { heard: statement.status }
}

/** An answer that comes later cannot count: nobody waits for it. */
function untilAnswerBy({ answer_by }: VenueQuestion, signal: AbortSignal): AbortSignal {
  const left = (answer_by?.getTime() ?? 0) - Date.now()
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, left))])
}
