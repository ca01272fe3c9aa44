import { z } from 'zod'
import { accountOf, type Context, defineOperation } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { transaction } from '../../platform/database/sql.ts'
import { isReservedName, MOST_AGENTS } from '../rules/agents.ts'
import { agent } from '../schema/agents.ts'
import {
  type AgentTerms,
  insertAgent,
  lockAgentNames,
  lockOwnAgent,
  selectOptionalAgent,
  updateAgent,
} from '../store/agents.ts'
import * as fields from './agent-fields.ts'
import { ownAgent } from './own-agent.ts'

const input = z.strictObject({
  name: fields.name,
  description: fields.description,
  capabilities: fields.capabilities.default([]),
  version: fields.version.default('1.0.0'),
  visibility: fields.visibility.default('public'),
  a2a_url: fields.a2aUrl.default(null),
  mcp_url: fields.mcpUrl.default(null),
  homepage: fields.homepage.default(null),
})

export const registerAgent = defineOperation({
  name: 'register agent',
  summary: 'Give your agent its name',
  description:
    'Registers `agent://<name>` for the account: nobody else can send it as `from` any more. A public agent is listed and has an Agent Card at ' +
    `\`card_url\`. The same registration again answers the agent that there is. At most ${MOST_AGENTS} names; one that was deleted stays yours.`,
  tier: 'free',
  scope: 'agents',
  input,
  output: z.object({
    agent,
    replayed: z.boolean().optional().describe('It was registered by an earlier request'),
  }),
  errors: ['agent_name_taken', 'agent_name_reserved', 'agent_limit'],
  async run(ctx, asked) {
    if (isReservedName(asked.name)) throw refuse('agent_name_reserved')
    const made = await transaction(ctx.db, async (tx) => {
      const { id } = accountOf(ctx)
      const names = await lockAgentNames(tx, id)
      const terms = termsOf(asked)
      const own = await lockOwnAgent(tx, id, asked.name)
      if (own?.isDeleted) {
        await updateAgent(tx, id, terms, ctx.at)
        return true
      }
      if (own) return false
      if (names >= MOST_AGENTS) {
        throw refuse(
          'agent_limit',
          `An account can have ${MOST_AGENTS} names, deleted ones included.`,
        )
      }
      if (!(await insertAgent(tx, id, terms, ctx.at))) throw refuse('agent_name_taken')
      return true
    })
    if (made) return { agent: await ownAgent(ctx, asked.name) }
    return { agent: await sameAgain(ctx, asked), replayed: true }
  },
})

const termsOf = (asked: z.output<typeof input>): AgentTerms => ({
  name: asked.name,
  description: asked.description,
  capabilities: [...new Set(asked.capabilities)],
  version: asked.version,
  isPublic: asked.visibility === 'public',
  a2aUrl: asked.a2a_url,
  mcpUrl: asked.mcp_url,
  homepage: asked.homepage,
})

/** The agent that the account has already, if this is what it was registered with; throws `agent_name_taken`. */
async function sameAgain(ctx: Context, asked: z.output<typeof input>) {
  const row = await selectOptionalAgent(ctx.db, asked.name, accountOf(ctx).id)
  const found = row && fields.presentAgent(ctx, row)
  const wanted = { ...asked, capabilities: [...new Set(asked.capabilities)] }
  const isSame = Object.entries(wanted).every(
    ([field, value]) =>
      JSON.stringify(found?.[field as keyof typeof wanted]) === JSON.stringify(value),
  )
  if (!found || !isSame) {
    throw refuse('agent_name_taken', 'Your account has an agent of this name already.')
  }
  return found
}
