import { setTimeout } from 'node:timers/promises'
import type { Pool } from '../../../src/platform/database/sql.ts'
import { addArena, roomyKind } from '../arena.ts'
import { findViolations, type Violation } from '../invariants.ts'
import { randomFrom } from '../random.ts'
import { deaths } from './chain.ts'
import { type Run, runPayment, sweepPayments } from './payment-run.ts'

export type PaymentsProof = {
  kills: Record<string, number>
  /** runs with unanswered settlements, and the number of attempts */
  runs: number
  unknown: number
  charged: number
  violations: Violation[]
}

type Options = {
  /** how often a process dies at each place */
  kills: number
  /** runs with a facilitator that often does not answer */
  runs: number
  seed: number
  /** kills and restarts the database server, or ends its sessions */
  killDatabase(): Promise<void>
}

const CONCURRENCY = 8
/** How many calls in a hundred the facilitator or the node leaves unanswered. */
const TROUBLE_PERCENT = 40
const DATABASE = 'database, at any moment'
/** The caller keeps retrying until the database is back. */
const interrupted = { death: null, percent: 10 } as const

/** Kills processes this often per place, leaves settlements unknown, and looks for violations. */
export async function provePayments(db: Pool, options: Options): Promise<PaymentsProof> {
  const random = randomFrom(options.seed)
  const arena = await addArena(db, roomyKind)
  const site = { db, arena, random }
  const proof: PaymentsProof = { kills: {}, runs: 0, unknown: 0, charged: 0, violations: [] }
  const wrong: unknown[] = []
  const note = (run: Run) => {
    proof.unknown += run.unknown
    proof.charged += run.charges
    if (run.charges !== 1 || run.answers.length !== 2 || run.answers[0] !== run.answers[1]) {
      wrong.push(run)
    }
  }
  for (const death of deaths) {
    proof.kills[death] = 0
    await inParallel(options.kills, async () => {
      const run = await runPayment(site, { death, percent: 0 })
      if (run.died) proof.kills[death] = (proof.kills[death] ?? 0) + 1
      else wrong.push({ death, run })
      note(run)
    })
  }
  proof.kills[DATABASE] = await killDatabases(site, options, note)
  await inParallel(options.runs, async () => {
    note(await runPayment(site, { death: null, percent: TROUBLE_PERCENT }))
    proof.runs += 1
  })
  await sweepPayments(db, random)
  proof.violations = await findViolations(db)
  const name = 'a payment is charged once, and answered the same each time'
  if (wrong.length > 0)
    proof.violations.push({ name, count: wrong.length, rows: wrong.slice(0, 3) })
  return proof
}

/** Interrupts the database at random moments during a few runs. */
async function killDatabases(
  site: Parameters<typeof runPayment>[0],
  { kills, killDatabase }: Options,
  note: (run: Run) => void,
): Promise<number> {
  const longestMs = 60
  for (let kill = 0; kill < kills; kill += 1) {
    const running = inParallel(2, async () => note(await runPayment(site, interrupted)))
    await setTimeout(site.random.below(longestMs))
    await killDatabase()
    await running
  }
  return kills
}

async function inParallel(count: number, work: () => Promise<void>): Promise<void> {
  let remaining = count
  const lane = async () => {
    while (remaining > 0) {
      remaining -= 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, count) }, lane))
}
