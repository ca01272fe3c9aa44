import { setTimeout } from 'node:timers/promises'
import type { Events, FollowedEvent } from '../answers.ts'
import { type DayAllowance, dayAllowanceOf, whyToStop } from './day-allowance.ts'

/** Seconds that one request waits for the next event; each is one of the account's daily requests. */
const WAIT_SECONDS = 60
const PAGE = 100
const LONGEST_PAUSE_S = 30
const TIMEOUT_MS = (WAIT_SECONDS + 15) * 1000

type Answer = { page: Events; day: DayAllowance | undefined }

/** Whose events to follow, over the API as any client would. `trouble` is told what is tried again. */
export type Followed = {
  url: string
  key: string
  types: string | undefined
  trouble(text: string): void
}

/** The last number of the ledger at this moment. Throws like `followEvents`. */
export async function lastNumber(followed: Followed): Promise<number> {
  const { page, day } = await readPatiently(followed, { after: 0, limit: 1, wait: 0 })
  leaveSome(day, page.last_number)
  return page.last_number
}

/**
 * Every event after a number, in order, for ever. Throws when the API refuses for a reason that waiting does not mend, and before the
 * account's requests of the day are used up.
 */
export async function* followEvents(
  followed: Followed,
  after: number,
): AsyncGenerator<FollowedEvent, never> {
  for (let position = after; ; ) {
    const read = { after: position, limit: PAGE, wait: WAIT_SECONDS }
    const { page, day } = await readPatiently(followed, read)
    yield* page.events
    position = page.next_after
    leaveSome(day, position)
  }
}

function leaveSome(day: DayAllowance | undefined, position: number): void {
  const why = whyToStop(day, position)
  if (why) throw new Error(why)
}

type Read = { after: number; limit: number; wait: number }

async function readPatiently(followed: Followed, read: Read): Promise<Answer> {
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_S)) {
    const found = await readOnce(followed, read).catch(unreachable)
    if (!('trouble' in found)) return found
    const seconds = found.after ?? pause
    if (seconds > LONGEST_PAUSE_S) throw new Error(found.trouble)
    followed.trouble(`${found.trouble} Again in ${seconds} s.`)
    await setTimeout(seconds * 1000)
  }
}

type Trouble = { trouble: string; after?: number }

const unreachable = (error: Error): Trouble => {
  if (error instanceof Refused) throw error
  return { trouble: 'The network does not answer.' }
}

/** The network will answer the same however often it is asked. */
class Refused extends Error {}

async function readOnce({ url, key, types }: Followed, read: Read): Promise<Answer | Trouble> {
  const query = new URLSearchParams({
    ...Object.fromEntries(Object.entries(read).map(([name, value]) => [name, String(value)])),
    ...(types !== undefined && { types }),
  })
  const response = await fetch(`${url}/api/events?${query}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const body = (await response.json()) as Partial<Events & { detail: string }>
  if (response.ok) return { page: pageOf(body), day: dayAllowanceOf(response.headers) }
  const trouble = body.detail ?? `The network answered ${response.status}.`
  const isPassing = response.status === 429 || response.status >= 500
  if (!isPassing) throw new Refused(trouble)
  const retryAfter = Number(response.headers.get('retry-after'))
  return { trouble, ...(retryAfter > 0 && { after: retryAfter }) }
}

/** Throws for an answer that is of something else than a venue network. */
function pageOf({ events, next_after, last_number }: Partial<Events>): Events {
  if (Array.isArray(events) && next_after !== undefined && last_number !== undefined) {
    return { events, next_after, last_number }
  }
  throw new Refused('The address answers, and not as a venue network does.')
}
