import { randomUUIDv7 } from 'node:crypto'
import { insertKey } from '../../src/accounts/store/accounts.ts'
import { hashKey, newRawKey } from '../../src/accounts/store/key-secret.ts'
import { scopes } from '../../src/base/scopes.ts'
import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import { findOrCreateSandbox } from '../../src/sandbox/store/sandboxes.ts'
import { type Agent, agentWith } from './agent.ts'

/** A test key for a live account, with all scopes. */
export async function addTestKey(db: Pool, liveAccountId: string) {
  const [at, key, keyId] = [new Date(), newRawKey('test'), randomUUIDv7()]
  const accountId = await transaction(db, (tx) => findOrCreateSandbox(tx, liveAccountId, at))
  const secret = { hash: hashKey(key), hint: key.slice(-4) }
  await insertKey(db, { id: keyId, accountId, name: 'test', scopes, ...secret, at })
  return { accountId, keyId, key }
}

/** An agent using the sandbox of a live account. */
export async function openTestAgent(db: Pool, url: string, liveAccountId: string): Promise<Agent> {
  const { accountId, key } = await addTestKey(db, liveAccountId)
  return agentWith(url, accountId, key)
}

/** A slot at a test venue, this many days ahead, at a local time of the venue. */
export const testSlot = (venue: string, { days = 3, time = '12:00', party = 2 } = {}) => ({
  venue_id: venue,
  slot_time: `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}:00`,
  party_size: party,
})
