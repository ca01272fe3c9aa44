import { setTimeout } from 'node:timers/promises'
import { printable } from '../screen/printable.ts'
import { Refused, Unreachable } from './failures.ts'
import type { Answer, Ask, Network } from './network.ts'

const MOST_TRIES = 5
const LONGEST_PAUSE_S = 30

/** Reports progress. */
export type Say = (text: string) => void

/**
 * Sends a request whose idempotency key makes a retry harmless. When the connection is lost or the
 * network is unavailable, it is retried with the same key, up to four times, and reported through
 * `say`. Then throws like the network.
 */
export async function sendSafely<T>(
  network: Network,
  ask: Ask & { idempotencyKey: string },
  say: Say,
): Promise<Answer<T>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await network.ask<T>(ask)
    } catch (error) {
      const passing = passingTrouble(error, tries)
      if (!passing || tries === MOST_TRIES || passing.seconds > LONGEST_PAUSE_S) {
        throw withKey(error, ask.idempotencyKey)
      }
      say(
        `${passing.text} Again in ${passing.seconds} s with the same idempotency key, so ` +
          'that nothing is done twice ' +
          `(try ${tries + 1} of ${MOST_TRIES}).`,
      )
      await setTimeout(passing.seconds * 1000)
    }
  }
}

/** Why and when to retry; undefined when a retry cannot help. */
function passingTrouble(error: unknown, tries: number) {
  const pause = 2 ** (tries - 1)
  if (error instanceof Unreachable) return { text: error.message, seconds: pause }
  if (!isFailure(error)) return undefined
  const { title, retry_after } = error.problem
  return { text: `${printable(title)}.`, seconds: secondsOf(retry_after) ?? pause }
}

/** The refusal's retry delay; undefined without one. */
export const secondsOf = (retryAfter: unknown): number | undefined =>
  typeof retryAfter === 'number' && retryAfter >= 0 ? retryAfter : undefined

const isFailure = (error: unknown): error is Refused => error instanceof Refused && error.isFailure

function withKey(error: unknown, key: string): unknown {
  const how = howToAsk(key)
  if (error instanceof Unreachable) return new Unreachable(error.message, how)
  return isFailure(error) ? new Refused(error.problem, how) : error
}

/** Advice when the outcome of a request is unknown. */
export const howToAsk = (key: string): string =>
  `The outcome is unknown. Run the same command with --idempotency-key ${key} to find out; ` +
  'nothing is done twice.'
