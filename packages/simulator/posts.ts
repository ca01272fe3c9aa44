import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Book, Post } from './book.ts'
import type { Log } from './log.ts'
import type { VenueMessage } from './messages.ts'
import type { Faults } from './script.ts'
import { newMessageId, type Signatures } from './signatures.ts'
import { withFaults } from './venue-messages.ts'

const ANSWER_MS = 10_000
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000

export type Posts = {
  /** A message for the network, to be journaled before `send`. */
  prepare(url: string, statement: VenueMessage, faults?: Faults, times?: number): Post
  /** Posts the message `times` times under one webhook-id, retrying until a final answer. */
  send(post: Post): Promise<void>
}

type Answer = { status: number; text: string; retryAfterMs: number | undefined }

/** The venue's own messages, retried as the network's answers require. */
export function createPosts(
  book: Book,
  signatures: Signatures,
  log: Log,
  ending: AbortSignal,
): Posts {
  return {
    prepare: (url, statement, faults = {}, times = 1) => ({
      id: newMessageId(),
      url,
      statement: withFaults(statement, faults),
      faults,
      times,
    }),
    async send(post) {
      for (let time = 0; time < post.times; time += 1) await deliver(post)
      if (!ending.aborted) await book.write({ kind: 'post-done', id: post.id })
    },
  }

  async function deliver(post: Post): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      const answer = await attempt(post).catch((error: Error) => ({
        status: 0,
        text: `no answer (${error.name})`,
        retryAfterMs: undefined,
      }))
      await note(post, answer.text)
      if (answer.status !== 0 && answer.status !== 429 && answer.status < 500) return
      await pauseFor(answer.retryAfterMs ?? pause, undefined, { ref: false })
      if (ending.aborted) return
    }
  }

  async function attempt({ id, url, statement, faults }: Post): Promise<Answer> {
    const body = JSON.stringify(statement)
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: { 'content-type': 'application/json', ...signatures.sign(id, body, faults.sign) },
      body,
    })
    await response.arrayBuffer()
    return {
      status: response.status,
      text: String(response.status),
      retryAfterMs: retryAfter(response),
    }
  }

  function note({ statement }: Post, answered: string): Promise<void> {
    const at = new Date().toISOString()
    if (statement.type === 'availability.state') {
      log({ at, type: 'post availability.state', venue_id: statement.venue_id, answered })
      return Promise.resolve()
    }
    const { booking_id, revision, status } = statement
    const line = { at, type: `post ${status}`, revision, answered }
    log({ ...line, booking_id })
    return book.write({ kind: 'line', booking_id, line })
  }
}

/** Retry-After in milliseconds, from seconds or a date; undefined without one. */
function retryAfter({ headers }: Response): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0.1), 3600) * 1000
}
