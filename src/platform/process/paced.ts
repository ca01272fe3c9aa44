import { setTimeout } from 'node:timers/promises'

/** Lets callers continue one after another, this many milliseconds apart. */
export function paced(ms: number): () => Promise<void> {
  let turn = performance.now()
  return () => {
    turn = Math.max(turn, performance.now()) + ms
    return setTimeout(turn - performance.now())
  }
}
