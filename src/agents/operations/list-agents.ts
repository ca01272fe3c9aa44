import { z } from 'zod'
import { type Context, defineOperation } from '../../contract/operation.ts'
import { nextCursor } from '../../contract/public.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { agentNamePattern } from '../rules/agents.ts'
import { publicAgent } from '../schema/agents.ts'
import { type AgentRow, searchWords, selectPublicAgents } from '../store/agents.ts'
import { afterName, cardUrlOf } from './agent-fields.ts'

const MOST_WORDS = 10

export const listAgents = defineOperation({
  name: 'public agents',
  summary: 'Agents registered as public',
  description: 'Lists the public agents of the network by name, the network itself among them.',
  tier: 'open',
  input: z.strictObject({
    q: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Words that occur in name, description or capabilities, or begin a word there'),
    limit: z.int().min(1).max(100).default(20),
    cursor: afterName,
  }),
  output: z.object({ agents: z.array(publicAgent), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { q, limit, cursor = null }) {
    if (cursor !== null && !agentNamePattern.test(cursor)) throw refuse('invalid_cursor')
    const words = q === undefined ? null : searchWords(q).slice(0, MOST_WORDS)
    // Nothing can be found by signs alone, or by words that nobody writes.
    if (words?.length === 0) return { agents: [], next_cursor: null }
    const found = await selectPublicAgents(ctx.db, { words, after: cursor, limit: limit + 1 })
    const agents = found.slice(0, limit).map((row) => present(ctx, row))
    return { agents, next_cursor: found.length > limit ? (agents.at(-1)?.name ?? null) : null }
  },
})

const present = (ctx: Context, row: AgentRow) => ({
  id: `agent://${row.name}`,
  name: row.name,
  description: row.description,
  capabilities: row.capabilities,
  card_url: cardUrlOf(ctx, row),
})
