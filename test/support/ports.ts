import { randomInt } from 'node:crypto'
import { choosePort } from '../../src/local/ports.ts'

/** Ports of each of the processes that run tests, of those below the ports of connections. */
const EACH = 1_500
const first = 20_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 8) * EACH
let nth = randomInt(EACH)

/** A free port that no other process of this run is given before a server listens there. */
export function ownPort(): Promise<number> {
  nth = (nth + 1) % EACH
  return choosePort(first + nth)
}
