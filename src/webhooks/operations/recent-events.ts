import { z } from 'zod'
import { accountOf, defineOperation } from '../../contract/define.ts'
import { event, typesOf, typesText } from '../schema/events.ts'
import { selectOlderPage } from '../store/ledger.ts'
import { shown } from './read-events.ts'

export const recentEvents = defineOperation({
  name: 'recent events',
  summary: 'What happened last, newest first',
  description:
    'Reads the ledger of the account backwards, for people who look. A program that must miss nothing reads it forwards: list events. ' +
    'With `types`, one call looks at 20,000 numbers; `next_before` goes on and is null at the beginning of the ledger.',
  tier: 'free',
  input: z.strictObject({
    before: z.int().min(1).optional().describe('Only what has a lower number: `next_before`'),
    types: typesText.optional(),
    limit: z.int().min(1).max(100).default(20),
  }),
  output: z.object({
    events: z.array(event),
    next_before: z.int().nullable().describe('Send as `before` for what is older'),
    last_number: z.int().describe('The last number that there is'),
  }),
  errors: [],
  async run(ctx, { before = null, types, limit }) {
    const { events, nextBefore, last } = await selectOlderPage(ctx.db, accountOf(ctx).id, {
      before,
      types: types === undefined ? null : typesOf(types.split(',')),
      limit,
    })
    return { events: events.map(shown), next_before: nextBefore, last_number: last }
  },
})
