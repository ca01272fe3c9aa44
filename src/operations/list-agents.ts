import { z } from 'zod'
import { refuse } from '../model/errors.ts'
import { nextCursor } from '../schema/public.ts'
import { selectPublicAgents } from '../store/agents.ts'
import { defineOperation } from './define.ts'

const agent = z.object({
  id: z.string().describe('`agent://<agent_name>`, as in `from` of an envelope'),
  name: z.string(),
  description: z.string(),
  capabilities: z.array(z.string()),
  card_url: z.string().nullable().describe('Where its Agent Card is'),
})

const agentName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

export const listAgents = defineOperation({
  name: 'public agents',
  summary: 'Agents registered as public',
  description: 'Lists the public agents of the network by name, the network itself among them.',
  tier: 'open',
  input: z.strictObject({
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(200).optional(),
  }),
  output: z.object({ agents: z.array(agent), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { limit, cursor = null }) {
    if (cursor !== null && !agentName.test(cursor)) throw refuse('invalid_cursor')
    const found = await selectPublicAgents(ctx.db, { after: cursor, limit: limit + 1 })
    const agents = found.slice(0, limit).map((row) => ({ id: `agent://${row.name}`, ...row }))
    return { agents, next_cursor: found.length > limit ? (agents.at(-1)?.name ?? null) : null }
  },
})
