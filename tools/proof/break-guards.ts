import { connect, type Databases } from './databases.ts'
import { guards } from './guards.ts'
import type { Options } from './options.ts'
import { proveSteps } from './prove-steps.ts'
import { violationLines } from './report.ts'

const ATTEMPTS = 800
const SEQUENCES = 3

/**
 * Drops each of the constraints in a database of its own and proves again; true when that was
 * noticed every time.
 */
export async function breakGuards(
  databases: Databases,
  { broken, seed }: Options,
  deadline: number,
): Promise<boolean> {
  const unnoticed: string[] = []
  const chosen = guards.filter(({ constraint }) => broken?.includes(constraint))
  for (const { constraint, drop, also } of chosen) {
    const url = await databases.create(`without_${constraint}`)
    const db = connect(url, 1)
    await db.query(drop).finally(() => db.end())
    const size = {
      attempts: ATTEMPTS,
      fights: ATTEMPTS,
      sequences: SEQUENCES,
      lanes: 14,
      callers: 8,
      connections: 40,
    }
    const silent = { progress: () => {}, fighting: () => {} }
    const proof = await proveSteps(url, { ...size, ...silent, seed, deadline })
    const own = proof.violations.reduce((sum, { count }) => sum + count, 0)
    console.log(`without ${constraint}`)
    console.log(`  our own steps: ${own} violations${own === 0 && also ? `; held by ${also}` : ''}`)
    console.log(violationLines(own > 0 ? proof.violations : proof.violationsAfter).join('\n'))
    const passed = proof.refusals.passed.includes(constraint)
    console.log(`  a careless writer: ${passed ? 'let through' : 'still refused'}`)
    if (own === 0 && proof.violationsAfter.length === 0) unnoticed.push(constraint)
  }
  for (const constraint of unnoticed) console.log(`NOT NOTICED: ${constraint} was missing`)
  return unnoticed.length === 0
}
