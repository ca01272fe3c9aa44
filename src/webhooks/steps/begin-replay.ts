import type { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { insertEndpointCommand } from '../store/endpoint-commands.ts'
import type { ReplayFilter } from '../store/replay-filter.ts'
import { beginReplay, countReplay, selectOptionalReplayTarget } from '../store/replays.ts'
import { type choiceFields, filterOf } from './replay-choice.ts'

/** The events that a replay would send. */
export type ReplayPlan = {
  of: { accountId: string; endpointId: string }
  filter: ReplayFilter
  range: { after: number; until: number }
}

/** Throws `endpoint_not_found`, `endpoint_not_active`, `invalid_request`, `event_not_found`. */
export async function planReplay(
  db: Db,
  of: ReplayPlan['of'],
  choice: z.output<z.ZodObject<typeof choiceFields>>,
): Promise<ReplayPlan> {
  const { accountId, endpointId } = of
  const target = await selectOptionalReplayTarget(db, accountId, endpointId)
  if (!target || target.is_deleted) throw refuse('endpoint_not_found')
  if (!target.is_proved) {
    throw refuse('endpoint_not_active', 'The URL of the endpoint is not verified.', {
      endpoint_id: endpointId,
    })
  }
  const { filter, after, until } = await filterOf(db, accountId, target, choice)
  return { of, filter, range: { after, until: Math.min(until ?? Infinity, target.last_number) } }
}

/** Counts what a plan matches now. */
export async function countPlan(db: Db, { of, filter, range }: ReplayPlan) {
  const { counts, first, last } = await countReplay(db, of, filter, range)
  return { counts, range: { first, last } }
}

/** `commandId` is recorded with the replay, so that a repeated command begins no other. */
type NewReplay = { id: string; commandId: string; perSecond: number; at: Date }

/** Begins a replay; undefined if the command has already begun one. Throws `replay_running`. */
export async function beginPlanned(tx: Db, plan: ReplayPlan, { commandId, ...replay }: NewReplay) {
  const { of, filter } = plan
  const { counts, range } = await countPlan(tx, plan)
  const command = {
    endpointId: of.endpointId,
    id: commandId,
    name: 'replay',
    at: replay.at,
  } as const
  if (!(await insertEndpointCommand(tx, command))) return undefined
  const total = counts.would_send
  const outcome = await beginReplay(tx, { ...of, ...range, ...replay, filter, total })
  if (outcome === 'started') return counts
  if (outcome === 'deleted') throw refuse('endpoint_not_found')
  throw refuse('replay_running', undefined, { replay_id: outcome.openId })
}
