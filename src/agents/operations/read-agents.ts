import { z } from 'zod'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { nextCursor } from '../../contract/public.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { agentNamePattern } from '../rules/agents.ts'
import { agent } from '../schema/agents.ts'
import { selectAgentsOf, selectOptionalAgent } from '../store/agents.ts'
import * as fields from './agent-fields.ts'

export const listOwnAgents = defineOperation({
  name: 'list agents',
  summary: 'The agents that your account registered',
  description: 'Lists the agents of the account by name, private ones included.',
  tier: 'free',
  scope: 'agents',
  input: z.strictObject({
    limit: z.int().min(1).max(100).default(20),
    cursor: fields.afterName,
  }),
  output: z.object({ agents: z.array(agent), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { limit, cursor = null }) {
    if (cursor !== null && !agentNamePattern.test(cursor)) throw refuse('invalid_cursor')
    const page = { after: cursor, limit: limit + 1 }
    const found = await selectAgentsOf(ctx.db, accountOf(ctx).id, page)
    const agents = found.slice(0, limit).map((row) => fields.presentAgent(ctx, row))
    return { agents, next_cursor: found.length > limit ? (agents.at(-1)?.name ?? null) : null }
  },
})

export const getAgent = defineOperation({
  name: 'get agent',
  summary: 'One agent',
  description:
    'Answers an agent of the account, or a public one of another. A private agent of another account is not found.',
  tier: 'free',
  scope: 'agents',
  input: z.strictObject({ name: fields.name }),
  output: z.object({ agent }),
  errors: ['agent_not_found'],
  async run(ctx, { name }) {
    const found = await selectOptionalAgent(ctx.db, name, accountOf(ctx).id)
    if (!found) throw refuse('agent_not_found')
    return { agent: fields.presentAgent(ctx, found) }
  },
})
