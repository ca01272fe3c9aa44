import { sweepSteps } from '../../../src/compose/parts.ts'
import type { NetworkEngine } from '../../../src/network.ts'
import type { PaymentProvider } from '../../../src/payments/rules/provider.ts'
import type { passes } from '../../../src/platform/database/passes.ts'
import type { Pool } from '../../../src/platform/database/sql.ts'
import { createLog } from '../../../src/platform/telemetry/log.ts'
import type { Facilitator } from '../../../src/x402/rules/facilitator.ts'
import { clockParts } from '../../support/activities.ts'
import type { Doors } from '../../support/open-doors.ts'
import { stepDeps } from '../../support/terms.ts'

/** What makes a row fail: a trigger, or calls about it that fail. */
type Poison = {
  table: string
  before: 'insert' | 'update' | 'delete'
  /** columns that identify the row */
  key: string
}

/** Three due rows, and the pass that handles them. */
export type Rows = {
  /** the ids as operators see them */
  ids: readonly string[]
  poison: Poison | 'calls' | { put: string; cure: string }
  run(at: Date): Promise<unknown>
  /** the ids that the pass has not handled */
  left(): Promise<string[]>
}

export type Case = (world: World) => Promise<Rows>

export type World = ReturnType<typeof createWorld>

/** Everything that passes call: each call is about one row, and fails if the row is poisoned. */
export function createWorld(doors: Doors) {
  const { db } = doors
  const log = createLog('silent')
  const poisoned = new Set<string>()
  const helped = new Set<string>()
  const call = async (id: string) => {
    if (poisoned.has(id)) throw new Error('a poisoned row')
    helped.add(id)
  }
  const calls = (field: string) => async (start: object) => {
    await call(String(start[field as keyof typeof start]))
    return true
  }
  const broken: string[] = []
  const engine = {
    ...doors.engine,
    brokenRuns: async () => broken.map((workflowId) => ({ workflowId, isEnded: false })),
    resume: calls('bookingId'),
    announceCommands: calls('bookingId'),
    venueResponded: calls('bookingId'),
    resumeGroup: calls('groupId'),
    resumeClock: calls('accountId'),
    announceDue: calls('endpointId'),
    resumeEntry: calls('entryId'),
    resumeNotice: calls('noticeId'),
    beginNotice: calls('noticeId'),
  } as unknown as NetworkEngine
  const refund = async ({ id }: { id: string }) => {
    await call(id)
    return `0x${id}`
  }
  const lookUp = async ({ payload }: { payload: object }) => {
    await call(String('id' in payload && payload.id))
    return { used: false }
  }
  const facilitator = { refund, lookUp } as unknown as Facilitator
  const provider = {
    name: 'local',
    finish: async (_: string, { paymentId }: { paymentId: string }) => {
      await call(paymentId)
      return { state: 'failed', reason: 'canceled' }
    },
  } as unknown as PaymentProvider
  const payments = { db, log, provider, publicUrl: '' }
  const deps = { db, log, engine, facilitator, clockParts, steps: stepDeps, payments }
  const steps = sweepSteps(deps)
  return {
    ...{ doors, db, log, engine, facilitator, broken, poisoned, helped, call },
    sweep: (pass: (typeof passes.sweep)[number]) => (at: Date) => steps[pass](at),
    /** the given ids about which no call was made */
    unhelped: (ids: readonly string[]) => async () => ids.filter((id) => !helped.has(id)),
  }
}

/** Inserts rows without the rows that they refer to; returns their ids. */
export async function insertAlone(db: Pool, insert: string, id: string): Promise<string[]> {
  const results: unknown = await db.query(
    `set local session_replication_role = replica;
     ${insert} returning concat_ws(' ', ${id}) as id`,
  )
  const { rows } = (results as { rows: { id: string }[] }[])[1] ?? { rows: [] }
  return rows.map((row) => row.id)
}

/** The given ids whose rows are still due. */
export const dueIn =
  (db: Pool, table: string, key: string, ids: readonly string[], due = 'true') =>
  async (): Promise<string[]> => {
    const { rows } = await db.query(
      `select distinct concat_ws(' ', ${key}) as id from ${table}
       where concat_ws(' ', ${key}) = any($1) and ${due}`,
      [ids],
    )
    return rows.map((row) => row.id)
  }

/** Makes a trigger raise for the row with this id; returns how to remove it. */
export async function poisonRow(db: Pool, { table, before, key }: Poison, id: string) {
  const columns = key.split(', ').map((name) => `${before === 'insert' ? 'new' : 'old'}.${name}`)
  await db.query(
    `create trigger poison before ${before} on ${table} for each row
     when (concat_ws(' ', ${columns}) = '${id}') execute function poison()`,
  )
  return () => db.query(`drop trigger poison on ${table}`)
}
