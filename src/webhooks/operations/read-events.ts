import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import type { WebhookContext } from '../engine.ts'
import { event, typesIn, typesText } from '../schema/events.ts'
import { selectOptionalEvent } from '../store/events.ts'
import { selectLedgerPage } from '../store/ledger.ts'

export const listEvents = defineOperation({
  name: 'list events',
  summary: 'Read the event ledger in order',
  description:
    'Reads the account’s ledger by event number. Numbers follow the order of commits without ' +
    'gaps, so a reader that sends `next_after` as `after` sees every event exactly once. There ' +
    'is more while `next_after` is below `last_number`.',
  part: 'webhooks',
  input: z.strictObject({
    after: z
      .int()
      .min(0)
      .default(0)
      .describe('Events with a higher number: `next_after` of the previous page'),
    types: typesText.optional(),
    limit: z.int().min(1).max(1000).default(100),
    wait: z
      .int()
      .min(0)
      .max(60)
      .default(0)
      .describe('Seconds to wait for an event when there is none yet'),
  }),
  output: z.object({
    events: z.array(event),
    next_after: z.int().describe('Send as `after` for the next page'),
    last_number: z.int().describe('The highest number so far'),
  }),
  async run(ctx: WebhookContext, { after, types, limit, wait }) {
    const { id } = accountOf(ctx)
    const options = { types: typesIn(types), limit }
    const until = performance.now() + wait * 1000
    let page = await selectLedgerPage(ctx.db, id, { after, ...options })
    while (page.events.length === 0 && page.next_after >= page.last_number) {
      const rest = until - performance.now()
      if (rest <= 0 || !(await ctx.awaitEvents(id, page.next_after, rest))) break
      page = await selectLedgerPage(ctx.db, id, { after: page.next_after, ...options })
    }
    return page
  },
})

export const getEvent = defineOperation({
  name: 'read event',
  summary: 'Read an event',
  description: 'Returns an event of the ledger by its id, the `webhook-id` of its deliveries.',
  part: 'webhooks',
  input: z.strictObject({ id: z.uuid().toLowerCase().describe('Event id') }),
  output: z.object({ event }),
  errors: ['event_not_found'],
  async run(ctx: WebhookContext, { id }) {
    const row = await selectOptionalEvent(ctx.db, accountOf(ctx).id, id)
    if (!row) throw refuse('event_not_found')
    return { event: row }
  },
})
