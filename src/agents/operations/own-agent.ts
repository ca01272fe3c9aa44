import { refuse } from '../../base/errors.ts'
import { requireVerified } from '../../contract/members.ts'
import { accountOf, type Context } from '../../contract/operation.ts'
import type { Db } from '../../platform/database/sql.ts'
import { selectOptionalAgent } from '../store/agents.ts'
import { presentAgent } from './agent-fields.ts'

/** An agent of the caller's account, as stored; throws `agent_not_found`. */
export async function ownAgentRow(db: Db, ctx: Context, name: string) {
  const { id } = accountOf(ctx)
  const row = await selectOptionalAgent(db, name, id)
  if (row?.account_id !== id) throw refuse('agent_not_found')
  return row
}

/** An agent of the caller's account, as presented; throws `agent_not_found`. */
export const ownAgent = async (ctx: Context, name: string) =>
  presentAgent(ctx, await ownAgentRow(ctx.db, ctx, name))

/** Throws `email_unverified` or `agent_taken_down` unless the account may publish an agent. */
export async function requirePublishable(tx: Db, ctx: Context, takenDown?: string | null) {
  await requireVerified(tx, ctx, 'Public agents need')
  if (takenDown == null) return
  throw refuse('agent_taken_down', `An operator has taken this agent down: ${takenDown}`)
}
