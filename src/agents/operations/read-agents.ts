import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { pageOf } from '../../contract/cursor.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import { agent } from '../schema/agents.ts'
import { selectAgentsOf, selectOptionalAgent } from '../store/agents.ts'
import * as fields from './agent-fields.ts'

export const listOwnAgents = defineOperation({
  name: 'list agents',
  summary: 'List your agents',
  description: 'Lists the agents of your account by name, including private ones.',
  scope: 'agents',
  input: z.strictObject(pageInput),
  output: z.object({ agents: z.array(agent), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, page) {
    const agents = await selectAgentsOf(ctx.db, accountOf(ctx).id, fields.pageFrom(page))
    const { rows, next_cursor } = pageOf(agents, page.limit, (last) => last.name)
    return { agents: rows.map((row) => fields.presentAgent(ctx, row)), next_cursor }
  },
})

export const getAgent = defineOperation({
  name: 'get agent',
  summary: 'Read an agent',
  description:
    'Returns an agent of your account, or a public agent of another. Private agents of other ' +
    'accounts are not found.',
  scope: 'agents',
  input: z.strictObject({ name: fields.name }),
  output: z.object({ agent }),
  errors: ['agent_not_found'],
  async run(ctx, { name }) {
    const row = await selectOptionalAgent(ctx.db, name, accountOf(ctx).id)
    if (!row) throw refuse('agent_not_found')
    return { agent: fields.presentAgent(ctx, row) }
  },
})
