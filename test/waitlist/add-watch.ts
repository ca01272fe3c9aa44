import { randomUUIDv7 } from 'node:crypto'
import type { Pool } from '../../src/platform/database/sql.ts'
import type { EntryStart } from '../../src/waitlist/rules/entry.ts'
import { insertEntry } from '../../src/waitlist/store/entries.ts'
import { makeKey } from '../support/agent.ts'
import type { FullSlot } from '../support/full-slot.ts'

type Waits = { accountId?: string; partySize?: number; flexMinutes?: number; at?: Date }

/** Adds a watch to a slot's waitlist, for a new account by default. */
export async function addWatch(
  db: Pool,
  slot: FullSlot['slot'],
  { accountId, partySize = slot.partySize, flexMinutes = 0, at = new Date() }: Waits = {},
): Promise<EntryStart> {
  const { venueId, ...rest } = slot
  const account = accountId ?? (await makeKey(db, 'pro')).accountId
  const start = { ...rest, partySize, entryId: randomUUIDv7(), accountId: account }
  const instant = Date.parse(slot.startsAt)
  const latest = new Date(instant + flexMinutes * 60_000)
  await insertEntry(db, {
    start,
    venueId,
    flexMinutes,
    earliest: new Date(instant - flexMinutes * 60_000),
    latest,
    until: latest,
    holdSeconds: 900,
    door: 'rest',
    fromAgent: null,
    at,
  })
  return start
}
