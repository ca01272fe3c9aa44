import { z } from 'zod'
import { invalidRequest, type Problem, refuse } from '../../base/errors.ts'
import { givenInstant } from '../../contract/fields.ts'
import type { Db } from '../../platform/database/sql.ts'
import { eventFilters } from '../rules/event-types.ts'
import { eventFilter, typesOf } from '../schema/events.ts'
import type { ReplayFilter } from '../store/replay-filter.ts'
import { type ReplayTarget, selectEventNumbers } from '../store/replays.ts'

const MAX_EVENTS = 100

const eventNumber = z.int().min(1)
const instantOrNumber = z.union([givenInstant, eventNumber], {
  error: 'expected an instant of year 1 or later, RFC 3339 in UTC, or the number of an event',
})

/** Which events to replay: chosen in exactly one way, and by type. */
export const choiceFields = {
  events: z
    .array(z.uuid().toLowerCase())
    .min(1)
    .max(MAX_EVENTS)
    .optional()
    .describe('Events by id'),
  from_number: eventNumber.optional().describe('Events from this number on'),
  until_number: eventNumber.optional().describe('… up to and including this one'),
  from: instantOrNumber
    .optional()
    .describe('Events at this instant or later; a number is a `from_number`'),
  until: instantOrNumber
    .optional()
    .describe('… and before this instant; a number is an `until_number`'),
  failed_since: givenInstant
    .optional()
    .describe('Deliveries to this endpoint that failed or expired since then'),
  never_attempted: z
    .literal(true)
    .optional()
    .describe('Events that this endpoint was never sent: discarded, or older than it'),
  types: z
    .array(eventFilter)
    .min(1)
    .max(eventFilters.length)
    .optional()
    .describe(
      'Only these types. Default: the types of the endpoint; with `events` or `failed_since`, all',
    ),
}
type Choice = z.output<z.ZodObject<typeof choiceFields>>

/** The fields used by each way of choosing events. */
const ways: readonly (readonly (keyof Choice)[])[] = [
  ['events'],
  ['from_number', 'until_number'],
  ['from', 'until'],
  ['failed_since'],
  ['never_attempted'],
]

/** The filter for a choice. Throws `event_not_found`, or `invalid_request` if ways are combined. */
export async function filterOf(
  db: Db,
  accountId: string,
  { event_types }: ReplayTarget,
  choice: Choice,
): Promise<{ filter: ReplayFilter; after: number; until: number | null }> {
  refuseUnlessOneWay(choice)
  const { first, last, from, before } = rangeOf(choice)
  const numbers = choice.events ? await numbersOf(db, accountId, choice.events) : null
  const isExplicit = numbers !== null || choice.failed_since !== undefined
  return {
    filter: {
      asked: choice,
      numbers,
      from,
      before,
      types: typesOf(choice.types ?? (isExplicit ? ['*'] : event_types)),
      failedSince: choice.failed_since === undefined ? null : isoInstant(choice.failed_since),
      neverAttempted: choice.never_attempted ?? false,
    },
    after: (first ?? 1) - 1,
    until: last,
  }
}

function refuseUnlessOneWay(choice: Choice): void {
  const used = ways
    .map((fields) => fields.filter((field) => choice[field] !== undefined))
    .filter((fields) => fields.length > 0)
  if (used.length > 1) {
    const detail = 'choose events in one way only'
    throw invalidRequest(used.flat().map((field) => problem(field, detail)))
  }
  if (used.length === 0 && choice.types === undefined) {
    const all = [...ways.flat(), 'types'].join(', ')
    throw invalidRequest([{ pointer: '', detail: `no events are chosen: expected one of ${all}` }])
  }
}

/** The range of numbers or instants, whichever fields were given. */
function rangeOf({ from, until, from_number, until_number }: Choice) {
  if (from !== undefined && until !== undefined && typeof from !== typeof until) {
    throw invalidRequest([problem('until', 'is not of the same kind as `from`')])
  }
  const first = typeof from === 'number' ? from : (from_number ?? null)
  const last = typeof until === 'number' ? until : (until_number ?? null)
  if (first !== null && last !== null && last < first) {
    const [lower, upper] = from === undefined ? ['from_number', 'until_number'] : ['from', 'until']
    throw invalidRequest([problem(upper, `is before \`${lower}\``)])
  }
  const since = typeof from === 'string' ? isoInstant(from) : null
  const before = typeof until === 'string' ? isoInstant(until) : null
  if (since !== null && before !== null && before <= since) {
    throw invalidRequest([problem('until', 'is not after `from`')])
  }
  return { first, last, from: since, before }
}

/** An instant with the same precision as events. */
const isoInstant = (instant: string): string => new Date(instant).toISOString()

const problem = (field: string, detail: string): Problem => ({ pointer: `/${field}`, detail })

async function numbersOf(db: Db, accountId: string, events: readonly string[]) {
  const numbers = await selectEventNumbers(db, accountId, events)
  const missing = new Set(events).size - numbers.length
  if (missing === 0) return numbers
  throw refuse('event_not_found', `${missing} of the events do not belong to this account.`)
}
