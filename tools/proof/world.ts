import { randomUUID, randomUUIDv7 } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { BookingStatus } from '../../src/base/booking-status.ts'
import { toInstant } from '../../src/base/local-time.ts'
import type {
  BookingStart,
  BookingState,
  CommandAnswer,
  ConfirmAnswer,
} from '../../src/bookings/rules/booking-messages.ts'
import { noLimits } from '../../src/bookings/rules/limits.ts'
import { upsertLimits } from '../../src/bookings/store/limits.ts'
import { insertRequest, requestOf } from '../../src/bookings/store/requests.ts'
import { type Db, type Pool, query } from '../../src/platform/database/sql.ts'
import type { Arena } from './arena.ts'

/** The database that callers act on, and the answers they got. */
export type World = {
  db: Pool
  accounts: readonly string[]
  answers: Answers
}

/** The outcome that a caller sees: the status of the booking, or `refused: code`. */
export type Outcome = BookingStatus | `refused: ${string}`

const ACCOUNTS = 8
/** How many accounts constantly reach their limits. */
const LIMITED = 2
const tightLimits = { live: 2, perVenueDay: null }

/** Opens a world with a few accounts, so that callers contend for event numbers. */
export async function openWorld(db: Pool): Promise<World> {
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => openAccount(db)))
  for (const id of accounts.slice(-LIMITED)) await upsertLimits(db, id, tightLimits)
  return { db, accounts, answers: openAnswers() }
}

/** Adds a pro account without limits and returns its id. */
export async function openAccount(db: Pool): Promise<string> {
  const id = randomUUIDv7()
  await query.execute(db)`insert into account (id, name, tier, created_at)
    values (${id}, 'proof', 'pro', now())`
  await upsertLimits(db, id, noLimits)
  return id
}

export type RequestInput = {
  slotTime: string
  partySize: number
  accountId: string
  purpose?: 'hold'
  /** the position of the service that is asked for */
  service?: number | undefined
}

/**
 * Inserts a request as a door does: `copies` of it at once under one idempotency key, exactly one
 * of which is stored.
 */
export async function request(
  db: Db,
  arena: Arena,
  { slotTime, partySize, accountId, purpose, service }: RequestInput,
  copies = 1,
): Promise<BookingStart> {
  const key = randomUUID()
  const at = new Date()
  const serviceId = service === undefined ? undefined : arena.serviceIds[service]
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
    ...(serviceId && { serviceId }),
  })
  const write = async (start: BookingStart) => {
    const withoutGuest = { from_agent: null, guest_ref: null, guest: null, natural_key: null }
    const wish = serviceId ? { serviceId } : {}
    const hashed = { idempotency_key: key, body_hash: Buffer.from(key) }
    const body = { wish, ...hashed, door: 'rest', also: true, at }
    const isNew = await insertRequest(db, { ...requestOf(start), ...withoutGuest, ...body })
    return isNew ? [start] : []
  }
  const starts = Array.from({ length: copies }, newStart)
  const [start] = (await Promise.all(starts.map(write))).flat()
  if (!start) throw new Error(`no copy of the request was stored under the key ${key}`)
  return start
}

/** Records every answer for comparison with the database. */
type Answers = {
  note(id: string, answer: ConfirmAnswer | CommandAnswer | null): void
  /** Answers that contradict each other or the stored bookings. */
  findContradictions(db: Pool): Promise<unknown[]>
}

function openAnswers(): Answers {
  const answered = new Map<string, string>()
  const contradicted: unknown[] = []
  return {
    note(id, answer) {
      if (answer === null) return
      const text = canonicalize(answer) ?? ''
      const before = answered.get(id)
      if (before !== undefined && before !== text) contradicted.push({ id, before, text })
      answered.set(id, text)
    },
    async findContradictions(db) {
      const answers = await db.query(
        'select booking_id as id, answer from request union all select id, answer from command',
      )
      const rows = [...contradicted]
      for (const { id, answer } of answers.rows) {
        const text = answered.get(id)
        if (text === undefined || text === canonicalize(answer)) continue
        rows.push({ id, answered: text, stored: answer })
      }
      return rows
    },
  }
}

/** The outcome of a step whose answer is recorded. */
export function outcomeOf(
  { answers }: World,
  { bookingId }: BookingStart,
  { answer, state }: { answer: ConfirmAnswer | null; state: BookingState | null },
): Outcome {
  answers.note(bookingId, answer)
  if (state) return state.status
  return answer && 'refusal' in answer ? `refused: ${answer.refusal.code}` : 'refused: unknown'
}
