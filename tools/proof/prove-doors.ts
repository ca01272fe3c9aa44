import { setTimeout } from 'node:timers/promises'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { choosePort } from '../../src/local/ports.ts'
import { closeBooks } from './books.ts'
import type { Databases } from './databases.ts'
import { contendAtDoors, type DoorsCount, type DoorsOptions, newDoorsCount } from './doors.ts'
import { findViolations, type Invariant, type Violation } from './invariants.ts'
import { apiPart, type Network, startNetwork, workerPart } from './network.ts'

export type DoorsProof = {
  count: DoorsCount
  /** the parts that were killed, in order */
  kills: string[]
  violations: Violation[]
}

/** One in this many attempts runs while processes are being killed. */
const KILL_PHASE_ODDS = 5
const BETWEEN_KILLS_MS = 2_000

/**
 * Contention through the doors: first undisturbed, then while worker, API and database are killed
 * in turn.
 */
export async function proveDoors(databases: Databases, options: DoorsOptions): Promise<DoorsProof> {
  const network = await startNetwork(databases, {
    name: 'doors',
    databaseUrl: await databases.create('doors'),
    port: await choosePort(),
    parts: { worker: workerPart, API: apiPart },
  })
  try {
    const count = newDoorsCount()
    const disturbed = Math.ceil(options.attempts / KILL_PHASE_ODDS)
    await contendAtDoors(network, { ...options, attempts: options.attempts - disturbed }, count)
    const kills = await contendDuringKills(network, { ...options, attempts: disturbed }, count)
    return { count, kills, violations: await findDoorViolations(network, count) }
  } finally {
    await network.stop()
  }
}

async function contendDuringKills(network: Network, options: DoorsOptions, count: DoorsCount) {
  const kills: string[] = []
  let isOver = false
  const killInTurn = async () => {
    const parts = Object.entries(network.crash)
    for (let n = 0; !isOver || n < parts.length; n += 1) {
      const [name, crash] = parts[n % parts.length] ?? []
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

const SETTLE_TIMEOUT_MS = 180_000

type Heard = Pick<DoorsCount, 'answers' | 'failures'>
type Expected = { isSettled?(): Promise<boolean>; invariants?: readonly Invariant[] }

/** Waits until nothing is in progress, closes the month, and checks everything. */
export async function findDoorViolations(
  network: Network,
  { answers, failures }: Heard,
  { isSettled, invariants }: Expected = {},
): Promise<Violation[]> {
  await settled(network, isSettled)
  await closeBooks(network.db)
  const violations = await findViolations(network.db, invariants)
  const add = (name: string, rows: unknown[]) => {
    if (rows.length > 0) violations.push({ name, count: rows.length, rows: rows.slice(0, 3) })
  }
  add('every answer matches what is stored', await findContradictions(network, answers))
  add('every request at the doors gets a final answer', failures)
  add('every open booking has a running workflow', await findAbandoned(network))
  return violations
}

/** Waits until workflows and the sweep have answered everything and no booking is overdue. */
async function settled({ db }: Network, isSettled = async () => true): Promise<void> {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS
  const open = `select 1 from request r left join booking b on b.id = r.booking_id
    where r.answer is null
      or (b.status in ('held', 'pending', 'offered') and b.next_action_at < now())
      or exists (select from command c where c.booking_id = b.id and c.answer is null) limit 1`
  while (performance.now() < deadline) {
    if ((await isSettled()) && (await db.query(open)).rowCount === 0) return
    await setTimeout(500)
  }
}

/**
 * A `confirmed` answer needs a confirmed event, and a refusal must have none. For a hold, its
 * request must exist.
 */
async function findContradictions({ db }: Network, answers: Heard['answers']): Promise<unknown[]> {
  const { rows } = await db.query(
    `select r.booking_id as id,
       exists (select from event e
         where e.booking_id = r.booking_id and e.type = 'booking.confirmed') as was_confirmed
     from request r where r.booking_id = any($1::uuid[])`,
    [[...answers.keys()]],
  )
  const confirmations = new Map(rows.map(({ id, was_confirmed }) => [id, was_confirmed]))
  return [...answers]
    .filter(([id, outcome]) =>
      outcome === 'held'
        ? !confirmations.has(id)
        : confirmations.get(id) !== (outcome === 'confirmed'),
    )
    .map(([id, outcome]) => ({
      id,
      answer: outcome,
      was_confirmed: confirmations.get(id) ?? 'no such request',
    }))
}

/** Bookings with a next action whose workflow is not running. */
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
