import { setTimeout } from 'node:timers/promises'
import { bookingWorkflowId } from '../../src/contract/rules/ids.ts'
import type { Databases } from './databases.ts'
import { contendAtDoors, type DoorsCount, type DoorsOptions, newDoorsCount } from './doors.ts'
import { findViolations, type Violation } from './invariants.ts'
import { type Network, startNetwork } from './network.ts'

export type DoorsProof = {
  count: DoorsCount
  /** every `kill -9`, in order */
  kills: string[]
  violations: Violation[]
}

/** One attempt in so many is made while processes are being killed. */
const SHARE_AMONG_KILLS = 5
const BETWEEN_KILLS_MS = 2_000

/**
 * Contention through the doors, first undisturbed, then while worker, API and database are killed
 * in turn.
 */
export async function proveDoors(databases: Databases, options: DoorsOptions): Promise<DoorsProof> {
  const network = await startNetwork(databases)
  try {
    const count = newDoorsCount()
    const disturbed = Math.ceil(options.attempts / SHARE_AMONG_KILLS)
    await contendAtDoors(network, { ...options, attempts: options.attempts - disturbed }, count)
    const kills = await contendAmongKills(network, { ...options, attempts: disturbed }, count)
    return { count, kills, violations: await findAll(network, count) }
  } finally {
    await network.stop()
  }
}

async function contendAmongKills(network: Network, options: DoorsOptions, count: DoorsCount) {
  const kills: string[] = []
  let isOver = false
  const killInTurn = async () => {
    const victims = Object.entries(network.crash)
    for (let n = 0; !isOver || n < victims.length; n += 1) {
      const [name, crash] = victims[n % victims.length] ?? []
      await setTimeout(BETWEEN_KILLS_MS)
      await crash?.()
      kills.push(name ?? '')
    }
  }
  const colliding = contendAtDoors(network, { ...options, seed: options.seed + 1 }, count)
  const over = colliding.finally(() => {
    isOver = true
  })
  await Promise.all([over, killInTurn()])
  return kills
}

const SETTLED_WITHIN_MS = 180_000

async function findAll(network: Network, { told, failures }: DoorsCount): Promise<Violation[]> {
  await settled(network)
  const violations = await findViolations(network.db)
  const add = (name: string, rows: unknown[]) => {
    if (rows.length > 0) violations.push({ name, count: rows.length, rows: rows.slice(0, 3) })
  }
  add('every agent was told what happened', await findContradictions(network, told))
  add('every request at the doors is answered', failures)
  add('every live booking has a workflow that runs', await findAbandoned(network))
  return violations
}

/**
 * Waits until every request and command is answered and no hold is overdue, as the workflows and
 * the sweep bring it about by themselves.
 */
async function settled({ db }: Network): Promise<void> {
  const deadline = performance.now() + SETTLED_WITHIN_MS
  const open = `select 1 from request r left join booking b on b.id = r.booking_id
    where r.answer is null
      or (b.status in ('held', 'pending', 'offered') and b.next_action_at < now())
      or exists (select from command c where c.booking_id = b.id and c.answer is null) limit 1`
  while (performance.now() < deadline) {
    if ((await db.query(open)).rowCount === 0) return
    await setTimeout(500)
  }
}

/**
 * Who was told yes has a booking that was confirmed; who was told no has none. What became of a
 * hold is told by its commands.
 */
async function findContradictions({ db }: Network, told: DoorsCount['told']): Promise<unknown[]> {
  const { rows } = await db.query(
    `select r.booking_id as id,
       exists (select from event e
         where e.booking_id = r.booking_id and e.type = 'booking.confirmed') as was_confirmed
     from request r where r.booking_id = any($1::uuid[])`,
    [[...told.keys()]],
  )
  const known = new Map(rows.map(({ id, was_confirmed }) => [id, was_confirmed]))
  return [...told]
    .filter(([id, said]) =>
      said === 'held' ? !known.has(id) : known.get(id) !== (said === 'confirmed'),
    )
    .map(([id, said]) => ({ id, told: said, was_confirmed: known.get(id) ?? 'no such request' }))
}

/** Bookings that still have something to do, whose workflow does not run. */
async function findAbandoned({ db, client }: Network): Promise<unknown[]> {
  const { rows } = await db.query(
    'select id, status from booking where next_action_at is not null order by id',
  )
  const abandoned: unknown[] = []
  for (const { id, status } of rows) {
    const workflow = client.workflow.getHandle(bookingWorkflowId(id))
    const now = await workflow.describe().then(
      (described) => described.status.name,
      (error: Error) => error.name,
    )
    if (now === 'RUNNING') continue
    const result = now === 'COMPLETED' ? await workflow.result() : null
    abandoned.push({ id, status, workflow: now, result })
  }
  return abandoned
}
