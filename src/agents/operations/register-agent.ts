import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { limitedAs } from '../../base/throttle.ts'
import { recordAudit } from '../../contract/audit.ts'
import { accountOf, defineOperation, requireLive } from '../../contract/operation.ts'
import { inChangeTurn } from '../../platform/database/change-turns.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { isReservedName, MAX_AGENTS, NAME_KEPT_DAYS } from '../rules/agents.ts'
import { agent } from '../schema/agents.ts'
import { claimName } from '../store/agent-names.ts'
import { insertAgent, lockAgentNames, lockOwnAgent, updateAgent } from '../store/agents.ts'
import * as fields from './agent-fields.ts'
import { ownAgent, requirePublishable } from './own-agent.ts'

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

const inUse =
  `Another account has sent this name as \`from\` in the last ${NAME_KEPT_DAYS} days: it would ` +
  'be shut out.'

export const registerAgent = defineOperation({
  name: 'register agent',
  summary: 'Register an agent',
  description:
    'Registers `agent://<name>` for your account: no other account can send it as `from`. A ' +
    `name that another account sends is not available until ${NAME_KEPT_DAYS} days after its ` +
    'last call. A public agent is listed and has an Agent Card at `card_url`; that needs a ' +
    'verified email address. Repeating a ' +
    `registration returns the agent. An account can have ${MAX_AGENTS} names, including deleted ` +
    'ones.',
  scope: 'agents',
  audit: 'agent.registered',
  input,
  output: z.object({
    agent,
    replayed: z.boolean().optional().describe('An earlier request registered it'),
  }),
  errors: [
    'live_key_required',
    'agent_name_taken',
    'agent_name_reserved',
    'agent_limit',
    'agent_taken_down',
    'email_unverified',
  ],
  async run(ctx, request) {
    requireLive(ctx)
    if (isReservedName(request.name)) throw refuse('agent_name_reserved')
    const terms = { ...request, capabilities: [...new Set(request.capabilities)] }
    const { id } = accountOf(ctx)
    const record = async (tx: Db) => {
      const names = await lockAgentNames(tx, id)
      const own = await lockOwnAgent(tx, id, request.name)
      if (own && !own.is_deleted) return false
      if (request.visibility === 'public') await requirePublishable(tx, ctx, own?.taken_down)
      const change = { name: request.name, details: { visibility: request.visibility } }
      await recordAudit(tx, ctx, 'agent.registered', change)
      if (own) {
        await updateAgent(tx, id, terms, ctx.at)
        return true
      }
      if (names >= MAX_AGENTS) {
        const detail = `An account can have ${MAX_AGENTS} names, including deleted ones.`
        throw refuse('agent_limit', detail)
      }
      if (!(await insertAgent(tx, id, terms, ctx.at))) throw refuse('agent_name_taken')
      const claim = { name: request.name, accountId: id, at: ctx.at }
      if (!(await claimName(tx, claim))) throw refuse('agent_name_taken', inUse)
      return true
    }
    const isNew = await inChangeTurn(ctx.db, limitedAs(accountOf(ctx)), () =>
      transaction(ctx.db, record),
    )
    const registered = await ownAgent(ctx, request.name)
    if (isNew) return { agent: registered }
    const isSame = Object.entries(terms).every(
      ([field, value]) =>
        JSON.stringify(registered[field as keyof typeof terms]) === JSON.stringify(value),
    )
    if (isSame) return { agent: registered, replayed: true }
    throw refuse('agent_name_taken', 'Your account already has an agent of this name.')
  },
})
