import { setTimeout } from 'node:timers/promises'
import type { Events, FollowedEvent } from '../answers.ts'
import { Refused, Unreachable } from '../network/failures.ts'
import { type Answer, createNetwork } from '../network/network.ts'
import { secondsOf } from '../network/send-safely.ts'
import { dayAllowanceOf, whyToStop } from './day-allowance.ts'

/** Seconds that a request waits for the next event; each counts toward the daily requests. */
const WAIT_SECONDS = 60
const PAGE = 100
const MAX_PAUSE_S = 30

/** Which events to follow, and with which key. `trouble` reports retries. */
export type Followed = {
  url: string
  key: string
  types: string | undefined
  trouble(text: string): void
}

/** The day's requests are nearly used up; the message says how to continue later. */
export class Stopped extends Error {}

/** The latest event number. Throws the same errors as `followEvents`. */
export async function lastNumber(followed: Followed): Promise<number> {
  const answer = await readWithRetries(followed, { after: 0, limit: 1, wait: 0 })
  checkAllowance(answer.headers, answer.body.last_number)
  return answer.body.last_number
}

/**
 * Every event after a number, in order, forever. Throws `Refused` for a refusal that waiting cannot
 * fix, and `Stopped` before the day's requests are used up.
 */
export async function* followEvents(
  followed: Followed,
  after: number,
): AsyncGenerator<FollowedEvent, never> {
  for (let position = after; ; ) {
    const query = { after: position, limit: PAGE, wait: WAIT_SECONDS }
    const { body, headers } = await readWithRetries(followed, query)
    yield* body.events
    position = body.next_after
    checkAllowance(headers, position)
  }
}

function checkAllowance(headers: Headers, position: number): void {
  const why = whyToStop(dayAllowanceOf(headers), position)
  if (why) throw new Stopped(why)
}

type EventQuery = { after: number; limit: number; wait: number }

async function readWithRetries(followed: Followed, query: EventQuery): Promise<Answer<Events>> {
  const { url, key, types, trouble } = followed
  // Unmodified texts, because forwarded events are signed.
  const network = createNetwork(url, key, 'exact')
  const ask = { path: '/api/events', query: { ...query, types }, wait: query.wait }
  for (let pause = 1; ; pause = Math.min(pause * 2, MAX_PAUSE_S)) {
    try {
      return checked(url, await network.ask<Events>(ask))
    } catch (error) {
      const seconds = secondsToWait(error) ?? pause
      if (seconds > MAX_PAUSE_S) throw error
      trouble(`${(error as Error).message} Retrying in ${seconds} s.`)
      await setTimeout(seconds * 1000)
    }
  }
}

/**
 * Event numbers go into messages and the next request; throws `Unreachable` if they are not
 * numbers.
 */
function checked(url: string, answer: Answer<Events>): Answer<Events> {
  const { events, next_after, last_number } = answer.body
  const numbers = [next_after, last_number]
  if (Array.isArray(events) && numbers.every(Number.isSafeInteger)) return answer
  throw new Unreachable(`${url} does not respond like a venue network. Is the URL correct?`)
}

/** When to retry; undefined without a hint. Throws errors that waiting cannot fix. */
function secondsToWait(error: unknown): number | undefined {
  if (error instanceof Unreachable) return undefined
  if (!(error instanceof Refused)) throw error
  const { status, retry_after } = error.problem
  if (status !== 429 && status < 500) throw error
  return secondsOf(retry_after)
}
