import { connect, type Databases } from './databases.ts'
import { guards } from './guards.ts'
import type { Options } from './options.ts'
import { proveSteps } from './prove-steps.ts'
import { violationLines } from './report.ts'

const ATTEMPTS = 800
const SEQUENCES = 3

/**
 * Drops each constraint in a separate database and runs the proof. True if every drop was detected.
 */
export async function breakGuards(
  databases: Databases,
  { broken, seed, venue }: Options,
  deadline: number,
): Promise<boolean> {
  const undetected: string[] = []
  const selected = guards.filter(({ constraint }) => broken?.includes(constraint))
  for (const { constraint, drop, alsoEnforcedBy } of selected) {
    const url = await databases.create(`without_${constraint}`)
    const db = connect(url, 1)
    await db.query(drop).finally(() => db.end())
    const size = {
      attempts: ATTEMPTS,
      inventoryAttempts: ATTEMPTS,
      sequences: SEQUENCES,
      lanes: 16,
      callers: 8,
      connections: 40,
    }
    const silent = { progress: () => {}, inventoryProgress: () => {} }
    const proof = await proveSteps(url, { ...size, ...silent, seed, venue, deadline })
    const own = proof.violations.reduce((sum, { count }) => sum + count, 0)
    console.log(`without ${constraint}`)
    const why = own === 0 && alsoEnforcedBy ? `; also enforced by ${alsoEnforcedBy}` : ''
    console.log(`  our own steps: ${own} violations${why}`)
    console.log(violationLines(own > 0 ? proof.violations : proof.violationsAfter).join('\n'))
    const accepted = proof.forbiddenWrites.accepted.includes(constraint)
    console.log(`  the forbidden write: ${accepted ? 'accepted' : 'still rejected'}`)
    if (own === 0 && proof.violationsAfter.length === 0) undetected.push(constraint)
  }
  for (const constraint of undetected) console.log(`UNDETECTED: ${constraint} was dropped`)
  return undetected.length === 0
}
