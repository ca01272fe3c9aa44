import { closeBooks } from './books.ts'
import { type ContentionOptions, type Count, contend } from './contention.ts'
import { connect } from './databases.ts'
import { type ForbiddenWrites, runForbiddenWrites } from './guards.ts'
import { findViolations, type Violation } from './invariants.ts'
import { contendForInventory, type InventoryCount } from './inventory.ts'
import { type SequenceResult, sequence } from './sequences.ts'
import { type Settled, settle } from './settle.ts'
import { openWorld, type World } from './world.ts'

export type StepsOptions = ContentionOptions & {
  sequences: number
  connections: number
  /** attempts on inventory alone */
  inventoryAttempts: number
  inventoryProgress: (attempts: number) => void
}

/** The results of running the steps of activities directly on a database. */
export type StepsProof = {
  sequenced: SequenceResult
  count: Count
  inventory: InventoryCount
  settled: Settled
  /** found before the forbidden writes */
  violations: Violation[]
  forbiddenWrites: ForbiddenWrites
  /** found after the forbidden writes */
  violationsAfter: Violation[]
}

/**
 * Runs sequences against the model, then contention, then forbidden writes. Invariants are checked
 * before and after the forbidden writes.
 */
export async function proveSteps(databaseUrl: string, options: StepsOptions): Promise<StepsProof> {
  const db = connect(databaseUrl, options.connections)
  try {
    const world = await openWorld(db)
    const sequenced = await sequence(world, options)
    const count = await contend(world, options)
    const { inventoryAttempts, inventoryProgress } = options
    const inventory = await contendForInventory(world, {
      ...options,
      attempts: inventoryAttempts,
      progress: inventoryProgress,
    })
    const settled = await settle(world)
    await closeBooks(db)
    const violations = await findAll(world, sequenced, [...count.failures, ...inventory.failures])
    const forbiddenWrites = await runForbiddenWrites(world)
    const violationsAfter = await findViolations(db)
    return { sequenced, count, inventory, settled, violations, forbiddenWrites, violationsAfter }
  } finally {
    await db.end()
  }
}

async function findAll({ db, answers }: World, sequenced: SequenceResult, failures: string[]) {
  const violations = await findViolations(db)
  const add = (name: string, rows: unknown[]) => {
    if (rows.length > 0) violations.push({ name, count: rows.length, rows: rows.slice(0, 3) })
  }
  add('every answer matches what is stored', await answers.findContradictions(db))
  add('every operation gets an answer', failures)
  add('every operation alone matches the model', sequenced.failure ? [sequenced.failure] : [])
  return violations
}
