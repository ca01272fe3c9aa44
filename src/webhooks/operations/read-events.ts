import { z } from 'zod'
import { accountOf, type Context, defineOperation } from '../../contract/define.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { type Event, event, typesOf, typesText } from '../schema/events.ts'
import { type EventRow, selectOptionalEvent } from '../store/events.ts'
import { type LedgerPage, selectLedgerPage } from '../store/ledger.ts'

const input = z.strictObject({
  after: z.int().min(0).default(0).describe('Only what has a higher number: `next_after` goes on'),
  types: typesText.optional(),
  limit: z.int().min(1).max(1000).default(100),
  wait: z
    .int()
    .min(0)
    .max(60)
    .default(0)
    .describe('Seconds to wait for the next event before answering that there is none'),
})

export const listEvents = defineOperation({
  name: 'list events',
  summary: 'What happened to your bookings, in order',
  description:
    'Reads the ledger of the account by number. Numbers are in the order of commits and have no gaps, so a reader that sends `next_after` ' +
    'as `after` sees every event once and skips none. While `next_after` is below `last_number` there is more.',
  tier: 'free',
  input,
  output: z.object({
    events: z.array(event),
    next_after: z.int().describe('Send as `after` to go on'),
    last_number: z.int().describe('The last number that there is'),
  }),
  errors: [],
  async run(ctx, asked) {
    const { events, nextAfter, last } = await readPage(ctx, asked)
    return { events: events.map(shown), next_after: nextAfter, last_number: last }
  },
})

/** The page, or, where nothing is there yet, the one that is there when something is or the patience ends. */
async function readPage(ctx: Context, asked: z.output<typeof input>): Promise<LedgerPage> {
  const { id } = accountOf(ctx)
  const types = asked.types === undefined ? null : typesOf(asked.types.split(','))
  const until = performance.now() + asked.wait * 1000
  const read = (after: number) => selectLedgerPage(ctx.db, id, { after, types, limit: asked.limit })

  let page = await read(asked.after)
  while (page.events.length === 0 && page.nextAfter >= page.last) {
    const rest = until - performance.now()
    if (rest <= 0 || !(await ctx.awaitEvents(id, page.nextAfter, rest))) break
    page = await read(page.nextAfter)
  }
  return page
}

export const getEvent = defineOperation({
  name: 'read event',
  summary: 'One event of your account',
  description: 'Answers an event of the ledger by its id, the `webhook-id` of its deliveries.',
  tier: 'free',
  input: z.strictObject({ id: z.uuid().toLowerCase().describe('Event id') }),
  output: z.object({ event }),
  errors: ['event_not_found'],
  async run(ctx, { id }) {
    const found = await selectOptionalEvent(ctx.db, accountOf(ctx).id, id)
    if (!found) throw refuse('event_not_found')
    return { event: shown(found) }
  },
})

/** An event as every door gives it. */
export const shown = ({ id, number, type, created_at, data }: EventRow): Event => ({
  id,
  number,
  type,
  timestamp: created_at.toISOString(),
  data,
})
