import type { Client } from '@temporalio/client'
import { bookingWorkflowId } from '../../../src/base/ids.ts'
import { openPool } from '../../../src/platform/database/sql.ts'
import type { Cluster } from '../cluster.ts'
import { type Callers, forEach, type KnownBooking, openCallers, underLoad } from './callers.ts'
import { buildChangedWorkflows, DRILL_MEMO } from './changed-workflows.ts'
import { countFailedTasks, findFaults } from './whats-left.ts'

/** Build id of the workers that the cluster starts with. */
export const BEFORE = 'before'
const AFTER = 'after'
/** how many open bookings, and how many holds */
const OPEN = 100
/** How many of each get a command while the next release is current. */
const MOVES = 30

type Drill = {
  cluster: Cluster
  dataDir: string
  callers: Callers
  say(line: string): void
  note(faults: readonly string[]): void
}

/**
 * Deploys a changed workflow under load, goes back, and settles all open bookings; prints progress
 * and a verdict, and returns whether it is good.
 */
export async function drillUpgrade(cluster: Cluster, dataDir: string): Promise<boolean> {
  const began = performance.now()
  const say = (line: string) =>
    console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}`)
  const faults: string[] = []
  const note = (more: readonly string[]) => void faults.push(...more)
  const db = openPool(cluster.databaseUrl, 5, () => {})
  try {
    const callers = await openCallers(db, cluster.url)
    await deployAndGoBack({ cluster, dataDir, callers, say, note })
    note(await findFaults(db, cluster.client, callers.known))
    const repeated = [...(await countFailedTasks(cluster.client, callers.known))]
    say(`tasks that were repeated: ${repeated.map(([why, n]) => `${n} ${why}`).join() || 'none'}`)
  } finally {
    await db.end()
  }
  for (const fault of faults.slice(0, 20)) console.log(`        ${fault}`)
  say(faults.length === 0 ? 'PASSED: nothing failed and nothing was lost' : verdict(faults))
  return faults.length === 0
}

async function deployAndGoBack({ cluster, dataDir, callers, say, note }: Drill): Promise<void> {
  const { client, versions } = cluster
  if (!versions) throw new Error('The workers of the cluster have no build id.')
  const [bookings, holds] = await openAll(callers, note)
  const open = [...bookings, ...holds]
  say(`${open.length} bookings are open, begun by version ${BEFORE}`)
  const work = async (booked: () => number) => {
    const changed = await buildChangedWorkflows(dataDir)
    await cluster.startWorkers(AFTER, ['next-1', 'next-2'], changed)
    await versions.setCurrent(AFTER)
    say(`version ${AFTER}, with changed workflows, is current; load: ${booked()} bookings`)
    note(await forEach(bookings.slice(0, MOVES), (one) => callers.command('amend', one)))
    note(await forEach(holds.slice(0, MOVES), (one) => callers.command('extend', one)))
    const count = await countChanged(client, open)
    say(`${count} open bookings took a step that only ${AFTER} has; load: ${booked()}`)
    if (count < 2 * MOVES) note([`only ${count} of ${2 * MOVES} bookings moved to ${AFTER}`])

    const stayed = await versions.goBack(BEFORE, AFTER)
    say(`version ${BEFORE} is current again; ${stayed} workflows stay with ${AFTER}`)
    note(await forEach(bookings, (one) => callers.command('cancel', one)))
    note(await forEach(holds, (one) => callers.command('confirm', one)))
    const settled = open.filter(({ status }) => status !== 'held').length
    say(`of the open bookings ${settled} were cancelled or confirmed; load: ${booked()}`)
  }
  note(await underLoad(callers, work))
}

const verdict = ({ length }: readonly string[]) => `FAILED: ${length} faults`

async function openAll(callers: Callers, note: (faults: string[]) => void) {
  const numbers = Array.from({ length: OPEN }, (_, n) => n)
  const bookings: KnownBooking[] = []
  const holds: KnownBooking[] = []
  note(await forEach(numbers, async (n) => bookings.push(await callers.book(n))))
  note(await forEach(numbers, async (n) => holds.push(await callers.hold(n))))
  return [bookings, holds] as const
}

/** How many of these bookings have the memo that only the changed workflow writes. */
async function countChanged(client: Client, bookings: readonly KnownBooking[]): Promise<number> {
  let changed = 0
  await forEach(bookings, async ({ id }) => {
    const { memo } = await client.workflow.getHandle(bookingWorkflowId(id)).describe()
    if (memo?.[DRILL_MEMO]) changed += 1
  })
  return changed
}
