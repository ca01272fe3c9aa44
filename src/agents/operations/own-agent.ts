import { accountOf, type Context } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { selectOptionalAgent } from '../store/agents.ts'
import { presentAgent } from './agent-fields.ts'

/** An agent of the caller's account as stored; throws `agent_not_found`. */
export async function ownAgentRow(db: Db, ctx: Context, name: string) {
  const { id } = accountOf(ctx)
  const found = await selectOptionalAgent(db, name, id)
  if (found?.account_id !== id) throw refuse('agent_not_found')
  return found
}

/** An agent of the caller's account as shown; throws `agent_not_found`. */
export const ownAgent = async (ctx: Context, name: string) =>
  presentAgent(ctx, await ownAgentRow(ctx.db, ctx, name))
