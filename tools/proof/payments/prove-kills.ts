import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { BOOKINGS_QUEUE } from '../../../src/base/task-queues.ts'
import { addArena, roomyKind } from '../arena.ts'
import type { Databases } from '../databases.ts'
import { addTo, type Histogram } from '../histogram.ts'
import type { Violation } from '../invariants.ts'
import { findDoorViolations } from '../prove-doors.ts'
import { buy, FUNDS } from './buyer.ts'
import { chainInvariants } from './chain-invariants.ts'
import { PAY_TO, type PaidNetwork, startPaidNetwork } from './paid-network.ts'
import { stepsOf } from './steps.ts'

export type KillsProof = {
  /** counts by step, then by the process that was killed there */
  kills: Map<string, Histogram>
  bookings: number
  refunds: number
  violations: Violation[]
}

type Options = {
  /** kills at each step, with the processes as victims in turn */
  kills: number
  deadline: number
  progress(kills: number): void
}

const victims = ['API', 'worker', 'settler', 'facilitator', 'database'] as const

/** The requested number of kills. */
export const killsAsked = (kills: number): number => stepsOf(PAY_TO).length * kills

const BUYERS = 10
/** A step that no payment reaches within this time counts as not reached. */
const TIMEOUT_MS = 90_000

/**
 * Buyers pay and cancel while `kill -9` hits each process at each step of a payment. Then the
 * network's rows, its ledger and the chain's record must agree.
 */
export async function proveKills(databases: Databases, options: Options): Promise<KillsProof> {
  const network = await startPaidNetwork(databases, 'kills')
  const closing = new AbortController()
  try {
    const arena = await addArena(network.db, roomyKind)
    const [slotTime = ''] = arena.slotTimes
    const answers = new Map<string, string>()
    const failures: string[] = []
    let isOver = false
    const buyer = async (n: number) => {
      for (let turn = n; !isOver; turn += 1) {
        const habits = { cancels: turn % 2 === 0, signsAnew: turn % 4 > 1 }
        const shop = { ...network, arena, slotTime, closed: closing.signal }
        await buy(shop, habits).then(
          (id) => answers.set(id, 'confirmed'),
          (error) => failures.push(String(error)),
        )
      }
    }
    const sweeper = async () => {
      while (!isOver) await sweepNow(network)
    }
    const others = [sweeper(), ...Array.from({ length: BUYERS }, (_, n) => buyer(n))]
    const kills = await killAtEachStep(network, options).finally(() => {
      isOver = true
    })
    await Promise.all(others)
    const invariants = chainInvariants(PAY_TO, BigInt(FUNDS) * 1_000_000n)
    const until = { isSettled: () => isPaidOrReturned(network), invariants }
    const violations = await findDoorViolations(network, { answers, failures }, until)
    const { rows } = await network.db.query(
      `select count(*)::int as refunds from x402_payment where state = 'refunded'`,
    )
    return { kills, bookings: answers.size, refunds: rows[0].refunds, violations }
  } finally {
    closing.abort()
    await network.stop()
  }
}

async function killAtEachStep({ links, crash }: PaidNetwork, options: Options) {
  const kills: KillsProof['kills'] = new Map()
  let done = 0
  for (const [index, { name, link, ...what }] of stepsOf(PAY_TO).entries()) {
    const hits: Histogram = new Map()
    kills.set(name, hits)
    for (let n = 0; n < options.kills && performance.now() < options.deadline; n += 1) {
      const victim = victims[(index + n) % victims.length] as (typeof victims)[number]
      const reached = links[link].freezeOneAt({ ...what, occurrence: 1 }).then(() => true)
      if (!(await Promise.race([reached, setTimeout(TIMEOUT_MS, false, { ref: false })]))) break
      await crash[victim]?.()
      links[link].cut()
      addTo(hits, victim)
      done += 1
      options.progress(done)
    }
  }
  return kills
}

/** The sweep sends refunds only every 15 s, too slow for a proof. */
async function sweepNow({ client }: PaidNetwork): Promise<void> {
  const sweep = client.workflow.execute('sweep', {
    taskQueue: BOOKINGS_QUEUE,
    workflowId: `sweep-${randomUUID()}`,
    workflowExecutionTimeout: '20s',
  })
  await sweep.catch(() => {})
  await setTimeout(500)
}

/** Whether no payment is in progress or due to be refunded. Sends refunds on the way. */
async function isPaidOrReturned(network: PaidNetwork): Promise<boolean> {
  await sweepNow(network)
  const open = await network.db.query(
    `select from x402_payment where state not in ('settled', 'failed', 'refunded') limit 1`,
  )
  return open.rowCount === 0
}
