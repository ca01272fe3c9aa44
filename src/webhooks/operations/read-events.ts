import { z } from 'zod'
import { accountOf, type Context, defineOperation } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { type Event, event, typesOf, typesText } from '../schema/events.ts'
import { type EventRow, selectOptionalEvent } from '../store/events.ts'
import { type LedgerPage, selectLedgerPage } from '../store/ledger.ts'

const input = z.strictObject({
  after: z
    .int()
    .min(0)
    .default(0)
    .describe('Events with a higher number: `next_after` of the page before'),
  types: typesText.optional(),
  limit: z.int().min(1).max(1000).default(100),
  wait: z
    .int()
    .min(0)
    .max(60)
    .default(0)
    .describe('Seconds to wait for an event when there is none yet'),
})

export const listEvents = defineOperation({
  name: 'list events',
  summary: 'Read the event ledger in order',
  description:
    'Reads the account’s ledger by event number. Numbers follow the order of commits without ' +
    'gaps, so a reader that sends `next_after` as `after` sees every event exactly once. There ' +
    'is more while `next_after` is below `last_number`.',
  tier: 'free',
  input,
  output: z.object({
    events: z.array(event),
    next_after: z.int().describe('Send as `after` for the next page'),
    last_number: z.int().describe('The highest number so far'),
  }),
  errors: [],
  async run(ctx, given) {
    const { events, nextAfter, last } = await readPage(ctx, given)
    return { events: events.map(presentEvent), next_after: nextAfter, last_number: last }
  },
})

/** The page, once it has an event or `wait` has passed. */
async function readPage(ctx: Context, given: z.output<typeof input>): Promise<LedgerPage> {
  const { id } = accountOf(ctx)
  const types = given.types === undefined ? null : typesOf(given.types.split(','))
  const until = performance.now() + given.wait * 1000
  const read = (after: number) => selectLedgerPage(ctx.db, id, { after, types, limit: given.limit })

  let page = await read(given.after)
  while (page.events.length === 0 && page.nextAfter >= page.last) {
    const rest = until - performance.now()
    if (rest <= 0 || !(await ctx.awaitEvents(id, page.nextAfter, rest))) break
    page = await read(page.nextAfter)
  }
  return page
}

export const getEvent = defineOperation({
  name: 'read event',
  summary: 'Read an event',
  description: 'Returns an event of the ledger by its id, the `webhook-id` of its deliveries.',
  tier: 'free',
  input: z.strictObject({ id: z.uuid().toLowerCase().describe('Event id') }),
  output: z.object({ event }),
  errors: ['event_not_found'],
  async run(ctx, { id }) {
    const found = await selectOptionalEvent(ctx.db, accountOf(ctx).id, id)
    if (!found) throw refuse('event_not_found')
    return { event: presentEvent(found) }
  },
})

/** An event as every door shows it. */
export const presentEvent = ({ id, number, type, created_at, data }: EventRow): Event => ({
  id,
  number,
  type,
  timestamp: created_at.toISOString(),
  data,
})
