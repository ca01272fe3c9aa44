import { z } from 'zod'
import { refuse } from '../model/errors.ts'
import { invalidRequest, type Problem } from '../model/invalid-request.ts'
import { eventFilters } from '../model/webhooks.ts'
import { typesOf } from '../schema/events.ts'
import type { ReplayFilter } from '../store/replay-filter.ts'
import { type ReplayTarget, selectEventNumbers } from '../store/replays.ts'
import type { Db } from '../store/sql.ts'

const MOST_EVENTS = 100

/** Which events to replay: one way of choosing them, and the types. */
export const choice = {
  events: z
    .array(z.uuid().toLowerCase())
    .min(1)
    .max(MOST_EVENTS)
    .optional()
    .describe('These events, by their ids'),
  from_number: z.int().min(1).optional().describe('All from this number of the ledger on'),
  until_number: z.int().min(1).optional().describe('… up to this one, itself included'),
  from: z.iso.datetime().optional().describe('All that happened at this instant or later'),
  until: z.iso.datetime().optional().describe('… and before this one'),
  failed_since: z.iso
    .datetime()
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
  const numbers = asked.events ? await numbersOf(db, accountId, asked.events) : null
  const isExplicit = numbers !== null || asked.failed_since !== undefined
  const types = asked.types ?? (isExplicit ? ['*'] : event_types)
  return {
    filter: {
      asked,
      numbers,
      from: asked.from ?? null,
      before: asked.until ?? null,
      types: typesOf(types),
      failedSince: asked.failed_since ?? null,
      neverAttempted: asked.never_attempted ?? false,
    },
    after: (asked.from_number ?? 1) - 1,
    until: asked.until_number ?? null,
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
  const { from, until, from_number, until_number } = asked
  if (from_number !== undefined && until_number !== undefined && until_number < from_number) {
    throw invalidRequest([problem('until_number', 'is before `from_number`')])
  }
  if (from !== undefined && until !== undefined && Date.parse(until) <= Date.parse(from)) {
    throw invalidRequest([problem('until', 'is not after `from`')])
  }
}

const problem = (field: string, detail: string): Problem => ({ pointer: `/${field}`, detail })

async function numbersOf(db: Db, accountId: string, events: readonly string[]) {
  const numbers = await selectEventNumbers(db, accountId, events)
  const missing = new Set(events).size - numbers.length
  if (missing === 0) return numbers
  throw refuse('event_not_found', `${missing} of the events are not in this account.`)
}
