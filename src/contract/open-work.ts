import type { Sql } from 'sql-template-tag'
import { SECOND_MS } from '../base/durations.ts'
import { idRow, int } from '../platform/database/columns.ts'
import { runPass } from '../platform/database/continue-pass.ts'
import { type Db, type Pool, query } from '../platform/database/sql.ts'
import { paced } from '../platform/process/paced.ts'
import type { PageOfIds, Pass } from '../platform/process/work-through.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { BrokenRun, ServerState } from '../platform/temporal/queues.ts'
import type { Resumed } from '../platform/temporal/runs.ts'

type Deps<E> = { db: Pool; engine: E; log: Log }

/** Rows that have a workflow while they are open; `E` is the client of these workflows. */
export type OpenWork<E = never> = {
  name: string
  /** by workflow type, the prefix of the workflow id, which the row's id follows */
  workflows: Readonly<Record<string, string>>
  /** the ids of open rows */
  open: Sql
  /** starts a row's missing run */
  resume(deps: { db: Pool; engine: E }, id: string): Promise<Resumed>
}

/**
 * Replaces runs whose tasks keep failing, and terminated runs of open rows, even if nothing is
 * waiting for them. Scheduled workflows have a time limit instead.
 */
export async function replaceBroken<E extends Pick<ServerState, 'brokenRuns'>>(
  works: readonly OpenWork<E>[],
  deps: Deps<E>,
  at: Date,
): Promise<Pass> {
  const broken = await deps.engine.brokenRuns(at)
  const work = {
    select: async ({ after }: PageOfIds) => (after === null ? broken : []),
    idOf: ({ workflowId }: BrokenRun) => workflowId,
    async help({ workflowId, isEnded }: BrokenRun) {
      const [prefix = '', id = ''] = workflowId.split(/(?<=\/)/)
      const owner = works.find(({ workflows }) => Object.values(workflows).includes(prefix))
      if (!owner || (isEnded && !(await isOpen(deps.db, owner, id)))) return false
      return owner.resume(deps, id)
    },
  }
  return runPass(deps, 'broken-runs', work)
}

const isOpen = (db: Db, { open }: Pick<OpenWork, 'open'>, id: string) =>
  query.affectsRow(db)`select from (${open}) as open where id::text = ${id}`

/**
 * Starts the missing run of every open row, at a limited rate per second, for example after
 * Temporal has lost its data. A failing row does not stop the others. Safe to repeat.
 */
export function resumeAll<E>(
  { name, open, resume }: OpenWork<E>,
  deps: Deps<E>,
  perSecond: number,
): Promise<Pass> {
  const inTurn = paced(SECOND_MS / perSecond)
  const work = {
    select: ({ after, limit }: PageOfIds) =>
      query.rows(deps.db, idRow)`
        select id from (${open}) as open where ${after}::uuid is null or id > ${after}
        order by id limit ${limit}`,
    idOf: ({ id }: { id: string }) => id,
    async help({ id }: { id: string }) {
      await inTurn()
      return resume(deps, id)
    },
  }
  return runPass(deps, `resume-all ${name}`, work, { isOver: new AbortController().signal })
}

/** About how many open rows have no running workflow; the two counts are not simultaneous. */
export async function countMissing(
  { open, workflows }: Pick<OpenWork, 'open' | 'workflows'>,
  { db, engine }: { db: Db; engine: Pick<ServerState, 'countRunning'> },
): Promise<number> {
  const counted = query.value(db, int)`select count(*) from (${open}) as open`
  const [count, running] = await Promise.all([counted, engine.countRunning(Object.keys(workflows))])
  return Math.max(0, count - running)
}
