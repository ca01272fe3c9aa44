import { accountOf, type Context } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Agent } from '../schema/agents.ts'
import { type AgentRow, selectOptionalAgent } from '../store/agents.ts'
import { presentAgent } from './agent-fields.ts'

/** The agent of the caller's account as it is stored; throws `agent_not_found`. */
export async function ownAgentRow(db: Db, ctx: Context, name: string): Promise<AgentRow> {
  const { id } = accountOf(ctx)
  const found = await selectOptionalAgent(db, name, id)
  if (found?.account_id !== id) throw refuse('agent_not_found')
  return found
}

/** The same as its account sees it. */
export const ownAgent = async (ctx: Context, name: string): Promise<Agent> =>
  presentAgent(ctx, await ownAgentRow(ctx.db, ctx, name))
