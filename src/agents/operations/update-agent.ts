import { z } from 'zod'
import { differences, recordAudit } from '../../contract/audit.ts'
import { accountOf, defineOperation, requireLive } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { agent } from '../schema/agents.ts'
import { type AgentRow, lockOwnAgent, updateAgent as update } from '../store/agents.ts'
import * as fields from './agent-fields.ts'
import { ownAgent, ownAgentRow, requirePublishable } from './own-agent.ts'

const input = z.strictObject({
  name: fields.name,
  description: fields.description.optional(),
  capabilities: fields.capabilities.optional(),
  version: fields.version.optional(),
  visibility: fields.visibility.optional(),
  a2a_url: fields.a2aUrl.optional(),
  mcp_url: fields.mcpUrl.optional(),
  homepage: fields.homepage.optional(),
})

export const updateAgent = defineOperation({
  name: 'update agent',
  summary: 'Update an agent',
  description:
    'Changes the given fields; null removes a URL. The name cannot be changed. The card of an ' +
    'agent that becomes private disappears at once, and from caches within a minute.',
  tier: 'free',
  scope: 'agents',
  audit: 'agent.updated',
  input,
  output: z.object({ agent }),
  errors: ['live_key_required', 'agent_not_found', 'agent_taken_down', 'email_unverified'],
  async run(ctx, asked) {
    requireLive(ctx)
    const { id } = accountOf(ctx)
    await transaction(ctx.db, async (tx) => {
      const own = await lockOwnAgent(tx, id, asked.name)
      const before = await ownAgentRow(tx, ctx, asked.name)
      const terms = newTerms(before, asked)
      const details = differences(before, terms)
      if (!details) return
      // What is public and changes must be publishable as well.
      if (terms.visibility === 'public') await requirePublishable(tx, ctx, own?.taken_down)
      await update(tx, id, terms, ctx.at)
      await recordAudit(tx, ctx, 'agent.updated', { name: before.name, details })
    })
    return { agent: await ownAgent(ctx, asked.name) }
  },
})

const newTerms = (before: AgentRow, asked: z.output<typeof input>) => ({
  name: before.name,
  description: asked.description ?? before.description,
  capabilities: [...new Set(asked.capabilities ?? before.capabilities)],
  version: asked.version ?? before.version,
  visibility: asked.visibility ?? before.visibility,
  a2a_url: asked.a2a_url === undefined ? before.a2a_url : asked.a2a_url,
  mcp_url: asked.mcp_url === undefined ? before.mcp_url : asked.mcp_url,
  homepage: asked.homepage === undefined ? before.homepage : asked.homepage,
})
