import { setTimeout } from 'node:timers/promises'
import { printable } from '../screen/printable.ts'
import { Refused, Unreachable } from './failures.ts'
import type { Answer, Ask, Network } from './network.ts'

const MAX_ATTEMPTS = 5
const MAX_PAUSE_S = 30

/** Reports progress. */
export type Say = (text: string) => void

/**
 * Sends a request with an idempotency key. Retries up to four times on a lost connection or an
 * unavailable network, and reports that through `say`; then throws like `Network`.
 */
export async function sendSafely<T>(
  network: Network,
  ask: Ask & { idempotencyKey: string },
  say: Say,
): Promise<Answer<T>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await network.ask<T>(ask)
    } catch (error) {
      const retry = retryFor(error, attempt)
      if (!retry || attempt === MAX_ATTEMPTS || retry.seconds > MAX_PAUSE_S) {
        throw withKey(error, ask.idempotencyKey)
      }
      say(
        `${retry.text} Retrying in ${retry.seconds} s with the same idempotency key ` +
          `(attempt ${attempt + 1} of ${MAX_ATTEMPTS}).`,
      )
      await setTimeout(retry.seconds * 1000)
    }
  }
}

/** Why and when to retry; undefined when a retry cannot help. */
function retryFor(error: unknown, attempt: number) {
  const pause = 2 ** (attempt - 1)
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
