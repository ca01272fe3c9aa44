import type { Databases } from './databases.ts'
import { total } from './histogram.ts'
import type { Options } from './options.ts'
import { type DoorsProof, proveDoors } from './prove-doors.ts'
import { proveSteps, type StepsProof } from './prove-steps.ts'
import { line, number, openProgress, outcomeLines, violationLines } from './report.ts'

const size = { lanes: 14, callers: 8, connections: 40 }

/** Attempts that run whole steps, answers and all; the others only reach for inventory. */
const WHOLE_STEPS = 0.1

/** The whole proof; true when nothing was violated and everything that was asked for was tried. */
export async function proveAll(
  databases: Databases,
  options: Options,
  deadline: number,
): Promise<boolean> {
  const { attempts, doors } = options
  const reports: Report[] = []
  let missing = 0
  const show = (report: Report, asked: number) => {
    console.log(report.lines.join('\n'))
    reports.push(report)
    missing += Math.max(0, asked - report.attempts)
  }
  if (doors > 0) {
    const progress = openProgress('attempts through the doors', doors)
    const proof = await proveDoors(databases, { ...options, attempts: doors, deadline, progress })
    show(reportDoors(proof), doors)
  }
  const whole = Math.ceil(attempts * WHOLE_STEPS)
  const fights = attempts - whole
  const progress = openProgress('attempts on the steps', whole)
  const fighting = openProgress('attempts on the inventory', fights)
  const steps = { ...options, ...size, attempts: whole, fights, fighting, deadline }
  const url = await databases.create('steps')
  const proof = await proveSteps(url, { ...steps, progress: (done) => progress(done.attempts) })
  show(reportSteps(proof), attempts)
  const sum = (of: (report: Report) => number) =>
    reports.reduce((total, report) => total + of(report), 0)
  console.log('in all')
  console.log(line('attempts', number(sum((report) => report.attempts))))
  console.log(line('contended', number(sum(({ contended }) => contended))))
  console.log(line('violations', number(sum(({ violations }) => violations))))
  if (missing > 0) console.log(`UNFINISHED: the time was over ${number(missing)} attempts early`)
  return missing === 0 && sum(({ violations }) => violations) === 0
}

type Report = { lines: string[]; attempts: number; contended: number; violations: number }

function reportSteps(proof: StepsProof): Report {
  const { sequenced, count, fight, settled, violations, refusals } = proof
  const { sequences, operations } = sequenced
  const lines = [
    'the steps that the activities run, on PostgreSQL',
    line('sequences as the model says', `${number(sequences)} of ${number(operations)} operations`),
    line('attempts', number(count.attempts)),
    line('contended', number(count.contended)),
    ...outcomeLines(count.outcomes),
    line('steps tried anew after losing midway', number(total(count.triedAnew))),
    ...outcomeLines(count.triedAnew),
    line('attempts on the inventory alone', number(fight.attempts)),
    line('contended', number(fight.contended)),
    line('taken and given back', number(fight.taken)),
    line('left undecided by their callers, then settled', number(settled.bookings)),
    line('groups that were still in progress, then ended', number(settled.groups)),
    line('places that the look-out handed on', number(settled.places)),
    line('careless writers that were refused', `${refusals.refused.length}`),
    ...refusals.refused.map((constraint) => `              by ${constraint}`),
    ...refusals.passed.map((constraint) => `  BROKEN ${constraint} let a careless writer through`),
    ...violationLines(violations),
  ]
  const attempts = count.attempts + fight.attempts
  const contended = count.contended + fight.contended
  return { attempts, contended, lines, violations: violations.length + refusals.passed.length }
}

function reportDoors({ count, kills, violations }: DoorsProof): Report {
  const lines = [
    'the doors of the service',
    line('attempts', number(count.attempts)),
    line('contended', number(count.contended)),
    line('sent again until answered', number(count.repeated)),
    line('kill -9', `${kills.length}: ${kills.join(', ')}`),
    ...outcomeLines(count.outcomes),
    ...violationLines(violations),
  ]
  return { ...count, lines, violations: violations.length }
}
