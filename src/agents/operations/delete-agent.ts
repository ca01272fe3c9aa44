import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import { accountOf, defineOperation, requireLive } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { deleteAgent as erase, lockOwnAgent } from '../store/agents.ts'
import * as fields from './agent-fields.ts'

export const deleteAgent = defineOperation({
  name: 'delete agent',
  summary: 'Delete an agent',
  description:
    'Deletes the agent and its card. The name stays reserved for your account, which can ' +
    'register it again. Deleting twice changes nothing.',
  scope: 'agents',
  audit: 'agent.deleted',
  input: z.strictObject({ name: fields.name }),
  output: z.object({ name: z.string(), deleted: z.literal(true) }),
  errors: ['live_key_required', 'agent_not_found'],
  async run(ctx, { name }) {
    requireLive(ctx)
    const { id } = accountOf(ctx)
    await transaction(ctx.db, async (tx) => {
      const own = await lockOwnAgent(tx, id, name)
      if (!own) throw refuse('agent_not_found')
      if (own.is_deleted) return
      await erase(tx, id, name, ctx.at)
      await recordAudit(tx, ctx, 'agent.deleted', { name })
    })
    return { name, deleted: true as const }
  },
})
