import { type ContentionOptions, type Count, contend } from './contention.ts'
import { connect } from './databases.ts'
import { beCareless, type Refusals } from './guards.ts'
import { findViolations, type Violation } from './invariants.ts'
import { type Fight, fightForInventory } from './inventory.ts'
import { type Sequenced, sequence } from './sequences.ts'
import { type Settled, settle } from './settle.ts'
import { openWorld, type World } from './world.ts'

export type StepsOptions = ContentionOptions & {
  sequences: number
  connections: number
  /** attempts on the inventory alone */
  fights: number
  fighting: (attempts: number) => void
}

/** What was found of the steps that the activities run, straight on a database. */
export type StepsProof = {
  sequenced: Sequenced
  count: Count
  fight: Fight
  settled: Settled
  /** by our own steps */
  violations: Violation[]
  refusals: Refusals
  /** with what the careless writers did */
  violationsAfter: Violation[]
}

/**
 * Sequences beside the model, then contention, then careless writers; what must never be is asked
 * before and after the last.
 */
export async function proveSteps(databaseUrl: string, options: StepsOptions): Promise<StepsProof> {
  const db = connect(databaseUrl, options.connections)
  try {
    const world = await openWorld(db)
    const sequenced = await sequence(world, options)
    const count = await contend(world, options)
    const { fights, fighting } = options
    const fight = await fightForInventory(world, {
      ...options,
      attempts: fights,
      progress: fighting,
    })
    const settled = await settle(world)
    const violations = await findAll(world, sequenced, [...count.failures, ...fight.failures])
    const refusals = await beCareless(world)
    const violationsAfter = await findViolations(db)
    return { sequenced, count, fight, settled, violations, refusals, violationsAfter }
  } finally {
    await db.end()
  }
}

async function findAll({ db, answers }: World, sequenced: Sequenced, failures: string[]) {
  const violations = await findViolations(db)
  const add = (name: string, rows: unknown[]) => {
    if (rows.length > 0) violations.push({ name, count: rows.length, rows: rows.slice(0, 3) })
  }
  add('every caller was told what is stored', await answers.findContradictions(db))
  add('every operation is answered', failures)
  add('alone, every operation goes as the model says', sequenced.failure ? [sequenced.failure] : [])
  return violations
}
