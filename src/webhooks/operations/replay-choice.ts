import { z } from 'zod'
import { givenInstant } from '../../contract/public.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { invalidRequest, type Problem } from '../../contract/rules/invalid-request.ts'
import type { Db } from '../../platform/database/sql.ts'
import { eventFilters } from '../rules/webhooks.ts'
import { typesOf } from '../schema/events.ts'
import type { ReplayFilter } from '../store/replay-filter.ts'
import { type ReplayTarget, selectEventNumbers } from '../store/replays.ts'

const MOST_EVENTS = 100

const eventNumber = z.int().min(1)
const instantOrNumber = z.union([givenInstant, eventNumber], {
  error: 'expected an instant of year 1 or later, RFC 3339 in UTC, or the number of an event',
})

/** Which events to replay: one way of choosing them, and the types. */
export const choice = {
  events: z
    .array(z.uuid().toLowerCase())
    .min(1)
    .max(MOST_EVENTS)
    .optional()
    .describe('These events, by their ids'),
  from_number: eventNumber.optional().describe('All from this number of the ledger on'),
  until_number: eventNumber.optional().describe('… up to this one, itself included'),
  from: instantOrNumber
    .optional()
    .describe('All that happened at this instant or later; a number is a `from_number`'),
  until: instantOrNumber
    .optional()
    .describe('… and before this one; a number is an `until_number`, itself included'),
  failed_since: givenInstant
    .optional()
    .describe('What this endpoint was to get and has not got: failed or expired since then'),
  never_attempted: z
    .literal(true)
    .optional()
    .describe('What this endpoint was never sent, be it discarded or from before it existed'),
  types: z
    .array(z.enum(eventFilters))
    .min(1)
    .max(eventFilters.length)
    .optional()
    .describe(
      'Only these types. Left out: the types that the endpoint wants now; with `events` and `failed_since` all',
    ),
}
const choiceSchema = z.object(choice)
export type Choice = z.output<typeof choiceSchema>

const ways: Record<string, readonly (keyof Choice)[]> = {
  events: ['events'],
  numbers: ['from_number', 'until_number'],
  times: ['from', 'until'],
  failures: ['failed_since'],
  unsent: ['never_attempted'],
}

/** The filter that a choice comes to for this endpoint. Throws `invalid_request` unless it is one way, `event_not_found`. */
export async function filterOf(
  db: Db,
  accountId: string,
  { event_types }: ReplayTarget,
  asked: Choice,
): Promise<{ filter: ReplayFilter; after: number; until: number | null }> {
  refuseUnlessOneWay(asked)
  const range = rangeOf(asked)
  const numbers = asked.events ? await numbersOf(db, accountId, asked.events) : null
  const isExplicit = numbers !== null || asked.failed_since !== undefined
  const types = asked.types ?? (isExplicit ? ['*'] : event_types)
  return {
    filter: {
      asked,
      numbers,
      from: range.from,
      before: range.before,
      types: typesOf(types),
      failedSince: asked.failed_since === undefined ? null : stored(asked.failed_since),
      neverAttempted: asked.never_attempted ?? false,
    },
    after: (range.first ?? 1) - 1,
    until: range.last,
  }
}

function refuseUnlessOneWay(asked: Choice): void {
  const fieldsOf = (way: readonly (keyof Choice)[]) =>
    way.filter((field) => asked[field] !== undefined)
  const chosen = Object.values(ways).map(fieldsOf)
  const said = chosen.filter((fields) => fields.length > 0)
  if (said.length > 1) {
    const problems = said
      .flat()
      .map((field) => problem(field, 'only one way of choosing at a time'))
    throw invalidRequest(problems)
  }
  if (said.length === 0 && asked.types === undefined) {
    const all = [...Object.values(ways).flat(), 'types'].join(', ')
    throw invalidRequest([{ pointer: '', detail: `nothing is chosen: expected one of ${all}` }])
  }
}

type Range = {
  first: number | null
  last: number | null
  from: string | null
  before: string | null
}

/** The numbers or the instants between which a choice lies, whichever of its fields they were said in. */
function rangeOf({ from, until, from_number, until_number }: Choice): Range {
  if (from !== undefined && until !== undefined && typeof from !== typeof until) {
    throw invalidRequest([problem('until', 'is not of the same kind as `from`')])
  }
  const first = typeof from === 'number' ? from : (from_number ?? null)
  const last = typeof until === 'number' ? until : (until_number ?? null)
  if (first !== null && last !== null && last < first) {
    const [lower, upper] = from === undefined ? ['from_number', 'until_number'] : ['from', 'until']
    throw invalidRequest([problem(upper, `is before \`${lower}\``)])
  }
  const since = typeof from === 'string' ? stored(from) : null
  const before = typeof until === 'string' ? stored(until) : null
  if (since !== null && before !== null && before <= since) {
    throw invalidRequest([problem('until', 'is not after `from`')])
  }
  return { first, last, from: since, before }
}

/** An instant as precise as those of events are. */
const stored = (instant: string): string => new Date(instant).toISOString()

const problem = (field: string, detail: string): Problem => ({ pointer: `/${field}`, detail })

async function numbersOf(db: Db, accountId: string, events: readonly string[]) {
  const numbers = await selectEventNumbers(db, accountId, events)
  const missing = new Set(events).size - numbers.length
  if (missing === 0) return numbers
  throw refuse('event_not_found', `${missing} of the events are not in this account.`)
}
