import { openPool } from '../../src/platform/database/sql.ts'
import type { Databases } from './databases.ts'
import { total } from './histogram.ts'
import type { Options } from './options.ts'
import { type KillsProof, killsAsked, proveKills } from './payments/prove-kills.ts'
import { type PaymentsProof, provePayments } from './payments/prove-payments.ts'
import { type DoorsProof, proveDoors } from './prove-doors.ts'
import { proveSteps, type StepsProof } from './prove-steps.ts'
import { line, number, openProgress, outcomeLines, violationLines } from './report.ts'

const size = { lanes: 16, callers: 8, connections: 40 }

/** How often a process dies at each step of a payment. */
const DEATHS = 20

/** The share of attempts that run whole steps; the rest only take inventory. */
const WHOLE_STEPS = 0.1

/** Runs everything. True if nothing was violated and all requested attempts were made. */
export async function proveAll(
  databases: Databases,
  options: Options,
  deadline: number,
): Promise<boolean> {
  const { attempts, doors } = options
  const reports: Report[] = []
  let missing = 0
  const show = (report: Report, count: number) => {
    console.log(report.lines.join('\n'))
    reports.push(report)
    missing += Math.max(0, count - report.attempts)
  }
  if (doors > 0) {
    const progress = openProgress('attempts through the doors', doors)
    const proof = await proveDoors(databases, { ...options, attempts: doors, deadline, progress })
    show(reportDoors(proof), doors)
  }
  if (options.kills > 0) {
    const asked = killsAsked(options.kills)
    const progress = openProgress('kills at the steps of a payment', asked)
    const proof = await proveKills(databases, { kills: options.kills, deadline, progress })
    show(reportKills(proof), asked)
  }
  if (options.payments > 0) {
    const db = openPool(await databases.create('payments'), size.callers, () => {})
    const killing = { kills: DEATHS, killDatabase: databases.crash }
    const { seed, payments: runs } = options
    show(reportPayments(await provePayments(db, { ...killing, runs, seed })), 0)
    await db.end()
  }
  const whole = Math.ceil(attempts * WHOLE_STEPS)
  const inventoryAttempts = attempts - whole
  const progress = openProgress('attempts on whole steps', whole)
  const inventoryProgress = openProgress('attempts on inventory', inventoryAttempts)
  const steps = {
    ...options,
    ...size,
    attempts: whole,
    inventoryAttempts,
    inventoryProgress,
    deadline,
  }
  const url = await databases.create('steps')
  const proof = await proveSteps(url, { ...steps, progress: (done) => progress(done.attempts) })
  show(reportSteps(proof), attempts)
  const sum = (of: (report: Report) => number) =>
    reports.reduce((total, report) => total + of(report), 0)
  console.log('in total')
  console.log(line('attempts', number(sum((report) => report.attempts))))
  console.log(line('contended', number(sum(({ contended }) => contended))))
  console.log(line('violations', number(sum(({ violations }) => violations))))
  if (missing > 0) console.log(`UNFINISHED: time ran out with ${number(missing)} attempts left`)
  return missing === 0 && sum(({ violations }) => violations) === 0
}

type Report = { lines: string[]; attempts: number; contended: number; violations: number }

function reportKills({ kills, bookings, refunds, violations }: KillsProof): Report {
  const steps = [...kills].map(([step, hits]) =>
    line(step, [...hits].map(([victim, count]) => `${victim} ${count}`).join(', ')),
  )
  const lines = [
    'payments by x402, `kill -9` of processes',
    ...steps,
    line('bookings bought', number(bookings)),
    line('refunds', number(refunds)),
    ...violationLines(violations),
  ]
  const attempts = kills.values().reduce((sum, hits) => sum + total(hits), 0)
  return { lines, attempts, contended: 0, violations: violations.length }
}

function reportPayments(proof: PaymentsProof): Report {
  const { kills, runs, unknown, charged, violations } = proof
  const deaths = Object.entries(kills).map(([where, count]) => line(where, number(count)))
  const lines = [
    'payments by x402',
    ...deaths,
    line('runs with settlements unanswered', number(runs)),
    line('attempts without an answer', number(unknown)),
    line('charges', number(charged)),
    ...violationLines(violations),
  ]
  const attempts = Object.values(kills).reduce((sum, count) => sum + count, runs)
  return { lines, attempts, contended: 0, violations: violations.length }
}

function reportSteps(proof: StepsProof): Report {
  const { sequenced, count, inventory, settled, violations, forbiddenWrites } = proof
  const { sequences, operations } = sequenced
  const lines = [
    'steps of the activities, on PostgreSQL',
    line(
      'sequences that match the model',
      `${number(sequences)} of ${number(operations)} operations`,
    ),
    line('attempts', number(count.attempts)),
    line('contended', number(count.contended)),
    ...outcomeLines(count.outcomes),
    line('steps retried after a conflict', number(total(count.retried))),
    ...outcomeLines(count.retried),
    line('attempts on inventory alone', number(inventory.attempts)),
    line('contended', number(inventory.contended)),
    line('taken and released', number(inventory.taken)),
    line('unfinished bookings settled afterwards', number(settled.bookings)),
    line('unfinished groups settled afterwards', number(settled.groups)),
    line('freed slots offered by the waitlist scan', number(settled.offeredSlots)),
    line('forbidden writes rejected', `${forbiddenWrites.rejected.length}`),
    ...forbiddenWrites.rejected.map((constraint) => `              by ${constraint}`),
    ...forbiddenWrites.accepted.map((name) => `  BROKEN ${name} accepted a forbidden write`),
    ...violationLines(violations),
  ]
  const attempts = count.attempts + inventory.attempts
  const contended = count.contended + inventory.contended
  return {
    attempts,
    contended,
    lines,
    violations: violations.length + forbiddenWrites.accepted.length,
  }
}

function reportDoors({ count, kills, violations }: DoorsProof): Report {
  const lines = [
    'doors of the service',
    line('attempts', number(count.attempts)),
    line('contended', number(count.contended)),
    line('requests retried', number(count.repeated)),
    line('kill -9', `${kills.length}: ${kills.join(', ')}`),
    ...outcomeLines(count.outcomes),
    ...violationLines(violations),
  ]
  return { ...count, lines, violations: violations.length }
}
