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
    'agent that becomes private disappears immediately, and from caches within a minute.',
  scope: 'agents',
  audit: 'agent.updated',
  input,
  output: z.object({ agent }),
  errors: ['live_key_required', 'agent_not_found', 'agent_taken_down', 'email_unverified'],
  async run(ctx, request) {
    requireLive(ctx)
    const { id } = accountOf(ctx)
    await transaction(ctx.db, async (tx) => {
      const own = await lockOwnAgent(tx, id, request.name)
      const before = await ownAgentRow(tx, ctx, request.name)
      const terms = newTerms(before, request)
      const details = differences(before, terms)
      if (!details) return
      // An agent must be publishable if it is public after the change.
      if (terms.visibility === 'public') await requirePublishable(tx, ctx, own?.taken_down)
      await update(tx, id, terms, ctx.at)
      await recordAudit(tx, ctx, 'agent.updated', { name: before.name, details })
    })
    return { agent: await ownAgent(ctx, request.name) }
  },
})

const newTerms = (before: AgentRow, request: z.output<typeof input>) => ({
  name: before.name,
  description: request.description ?? before.description,
  capabilities: [...new Set(request.capabilities ?? before.capabilities)],
  version: request.version ?? before.version,
  visibility: request.visibility ?? before.visibility,
  a2a_url: request.a2a_url === undefined ? before.a2a_url : request.a2a_url,
  mcp_url: request.mcp_url === undefined ? before.mcp_url : request.mcp_url,
  homepage: request.homepage === undefined ? before.homepage : request.homepage,
})
