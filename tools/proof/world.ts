import { randomUUID, randomUUIDv7 } from 'node:crypto'
import canonicalize from 'canonicalize'

import type {
  BookingStart,
  BookingState,
  CommandAnswer,
  ConfirmAnswer,
} from '../../src/bookings/rules/booking-messages.ts'
import { insertRequest, requestOf } from '../../src/bookings/store/requests.ts'
import type { BookingStatus } from '../../src/contract/rules/booking-status.ts'
import { toInstant } from '../../src/contract/rules/local-time.ts'
import { type Db, execute, type Pool } from '../../src/platform/database/sql.ts'
import type { Arena } from './arena.ts'

/** Where the callers act, and what they were told. */
export type World = {
  db: Pool
  accounts: readonly string[]
  answers: Answers
}

/** What an operation led to for whoever asked: the status of the booking, or `refused: code`. */
export type Outcome = BookingStatus | `refused: ${string}`

const ACCOUNTS = 8

/**
 * A world over this database, with accounts of its own; few, so that they wait for each other's
 * event numbers.
 */
export async function openWorld(db: Pool): Promise<World> {
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => openAccount(db)))
  return { db, accounts, answers: openAnswers() }
}

/** An account that may book; answers its id. */
export async function openAccount(db: Pool): Promise<string> {
  const id = randomUUIDv7()
  await execute(db)`insert into account (id, name, tier, created_at)
    values (${id}, 'proof', 'pro', now())`
  return id
}

export type Wanted = { slotTime: string; partySize: number; accountId: string; purpose?: 'hold' }

/**
 * A request for this time, written down as a door does, in as many copies as are sent at the same
 * instant with one idempotency key: only one of them may be.
 */
export async function request(
  db: Db,
  arena: Arena,
  { slotTime, partySize, accountId, purpose }: Wanted,
  copies = 1,
): Promise<BookingStart> {
  const key = randomUUID()
  const at = new Date()
  const newStart = (): BookingStart => ({
    bookingId: randomUUIDv7(),
    accountId,
    venueId: arena.id,
    venueSlug: arena.slug,
    venueName: arena.name,
    slotTime,
    timezone: arena.timezone,
    startsAt: toInstant(arena.timezone, slotTime)?.toISOString() ?? '',
    partySize,
    ...(purpose && { purpose }),
  })
  const write = async (start: BookingStart) => {
    const nobody = { from_agent: null, guest_ref: null, guest: null, natural_key: null }
    const body = { idempotency_key: key, body_hash: Buffer.from(key), door: 'rest', at }
    const written = await insertRequest(db, { ...requestOf(start), ...nobody, ...body })
    return written ? [start] : []
  }
  const sent = Array.from({ length: copies }, newStart)
  const [start] = (await Promise.all(sent.map(write))).flat()
  if (!start) throw new Error(`nobody wrote the request down under the key ${key}`)
  return start
}

/** Every answer that a caller got, to be compared with what the database stores in the end. */
type Answers = {
  note(id: string, answer: ConfirmAnswer | CommandAnswer | null): void
  /**
   * Requests and commands whose callers were told different things, or something else than what is
   * stored.
   */
  findContradictions(db: Pool): Promise<unknown[]>
}

function openAnswers(): Answers {
  const told = new Map<string, string>()
  const contradicted: unknown[] = []
  return {
    note(id, answer) {
      if (answer === null) return
      const text = canonicalize(answer) ?? ''
      const before = told.get(id)
      if (before !== undefined && before !== text) contradicted.push({ id, before, text })
      told.set(id, text)
    },
    async findContradictions(db) {
      const stored = await db.query(
        'select booking_id as id, answer from request union all select id, answer from command',
      )
      const rows = [...contradicted]
      for (const { id, answer } of stored.rows) {
        const text = told.get(id)
        if (text === undefined || text === canonicalize(answer)) continue
        rows.push({ id, told: text, stored: answer })
      }
      return rows
    },
  }
}

/** The outcome in an answer of a step: where the booking stands, or why there is none. */
export function outcomeOf(
  { answers }: World,
  { bookingId }: BookingStart,
  { answer, state }: { answer: ConfirmAnswer | null; state: BookingState | null },
): Outcome {
  answers.note(bookingId, answer)
  if (state) return state.status
  return answer && 'refusal' in answer ? `refused: ${answer.refusal.code}` : 'refused: unknown'
}
