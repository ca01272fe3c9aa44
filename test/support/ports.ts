import { randomInt } from 'node:crypto'
import { choosePort } from '../../src/local/ports.ts'

/** Ports for each process that runs tests, below the range for outgoing connections. */
const EACH = 1_500
const first = 20_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 8) * EACH
let nth = randomInt(EACH)

/** A free port that no other process in this run gets before a server listens on it. */
export function ownPort(): Promise<number> {
  nth = (nth + 1) % EACH
  return choosePort(first + nth)
}
