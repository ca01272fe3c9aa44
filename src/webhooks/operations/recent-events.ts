import { z } from 'zod'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { event, typesIn, typesText } from '../schema/events.ts'
import { selectOlderPage } from '../store/ledger.ts'

export const recentEvents = defineOperation({
  name: 'recent events',
  summary: 'Read the newest events',
  description:
    'Reads the account’s ledger backwards, for display. A program that must not miss an event ' +
    'uses `list events` instead. With `types`, one call scans 20,000 numbers; `next_before` ' +
    'continues and is null at the beginning of the ledger.',
  part: 'webhooks',
  input: z.strictObject({
    before: z
      .int()
      .min(1)
      .optional()
      .describe('Events with a lower number: `next_before` of the previous page'),
    types: typesText.optional(),
    limit: z.int().min(1).max(100).default(20),
  }),
  output: z.object({
    events: z.array(event),
    next_before: z.int().nullable().describe('Send as `before` for older events'),
    last_number: z.int().describe('The highest number so far'),
  }),
  run: (ctx, { before = null, types, limit }) =>
    selectOlderPage(ctx.db, accountOf(ctx).id, { before, types: typesIn(types), limit }),
})
