import { z } from 'zod'
import { pageOf } from '../../contract/cursor.ts'
import { defineOperation } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import { publicAgent } from '../schema/agents.ts'
import { searchWords, selectPublicAgents } from '../store/agents.ts'
import { cardUrlOf, pageFrom } from './agent-fields.ts'

const MAX_WORDS = 10

export const listAgents = defineOperation({
  name: 'public agents',
  summary: 'List public agents',
  description: 'Lists the public agents of the network by name, including the network itself.',
  tier: 'open',
  input: z.strictObject({
    q: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Words, or beginnings of words, in the name, description or capabilities'),
    ...pageInput,
  }),
  output: z.object({ agents: z.array(publicAgent), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { q, ...paging }) {
    const page = pageFrom(paging)
    const words = q === undefined ? null : searchWords(q).slice(0, MAX_WORDS)
    // Punctuation alone matches nothing, nor do words too long to be stored.
    if (words?.length === 0) return { agents: [], next_cursor: null }
    const matches = await selectPublicAgents(ctx.db, { words, ...page })
    const { rows, next_cursor } = pageOf(matches, paging.limit, (last) => last.name)
    return { agents: rows.map((row) => ({ ...row, card_url: cardUrlOf(ctx, row) })), next_cursor }
  },
})
