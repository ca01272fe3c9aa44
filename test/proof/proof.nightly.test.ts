import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from '../../tools/proof/databases.ts'
import { guards } from '../../tools/proof/guards.ts'
import { proveSteps } from '../../tools/proof/prove-steps.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, type Program, startProgram } from '../support/programs.ts'

const ATTEMPTS = 500
const INVENTORY_ATTEMPTS = 300
const SEQUENCES = 40
/** More than even a busy machine takes: a proof that runs this long is incomplete. */
const PROOF_MS = 200_000
const timeout = PROOF_MS + 40_000
let database: TestDatabase

beforeEach(async () => {
  database = await createDatabase()
})
afterEach(() => database?.drop())

/** The short form of `npm run proof`, with a new seed each time, printed on failure. */
const prove = (seed: number, { attempts = ATTEMPTS, sequences = SEQUENCES } = {}) =>
  proveSteps(database.url, {
    attempts,
    sequences,
    seed,
    lanes: 16,
    callers: 8,
    connections: 20,
    deadline: performance.now() + PROOF_MS,
    progress: () => {},
    inventoryAttempts: INVENTORY_ATTEMPTS,
    inventoryProgress: () => {},
  })

const anySeed = () => Math.floor(Math.random() * 2 ** 31)

test('colliding callers break nothing, and single ones match the model', { timeout }, async () => {
  const seed = anySeed()
  const proof = await prove(seed)
  expect(proof.violations, `seed ${seed}`).toEqual([])
  expect(proof.count.attempts).toBeGreaterThanOrEqual(ATTEMPTS)
  expect(proof.count.contended).toBe(proof.count.attempts)
  expect(proof.inventory.attempts).toBeGreaterThanOrEqual(INVENTORY_ATTEMPTS)
  expect(proof.inventory.taken).toBeGreaterThan(0)
  expect(proof.sequenced.sequences).toBe(SEQUENCES)
  expect(proof.forbiddenWrites).toEqual({
    rejected: guards.map(({ constraint }) => constraint),
    accepted: [],
  })
})

test('without the overlap constraint tables are sold twice, and the proof fails', {
  timeout,
}, async () => {
  const db = connect(database.url, 1)
  await db.query('alter table allocation drop constraint allocation_no_overlap')
  await db.end()
  const { violations, forbiddenWrites } = await prove(anySeed(), { attempts: 300, sequences: 1 })
  expect(violations.map(({ name }) => name)).toContain(
    'no resource is booked twice at the same time',
  )
  expect(forbiddenWrites.accepted).toEqual(['allocation_no_overlap'])
})

const codeOf = ({ process }: Program) =>
  eventually('the end of the proof', async () => process.exitCode ?? undefined)

test('the proof refuses to run on servers that it did not start', async () => {
  const proof = startProgram('tools/proof/main.ts', { DATABASE_URL: database.url })
  await proof.prints('unset both')
  expect(await codeOf(proof)).toBe(2)
})

test.each([
  [['--break', 'no_such_constraint'], 'allocation_no_overlap'],
  [['--attempts', 'many'], '--attempts needs a whole number'],
])('an invalid option is explained: %j', async (args, said) => {
  const proof = startProgram('tools/proof/main.ts', {}, args)
  await proof.prints(said)
  expect(await codeOf(proof)).toBe(2)
})
