import { randomUUID } from 'node:crypto'
import { type ChannelKind, channelDigests } from '../../src/notices/rules/channel.ts'
import { channelContext, insertChannel } from '../../src/notices/store/channels.ts'
import { insertPerson } from '../../src/notices/store/people.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import type { Sealer } from '../../src/platform/sealing/sealing.ts'

/** The address of a signed POST, as a channel stores it. */
export const postTo = (url: string, secret: string) =>
  ({ kind: 'post', address: JSON.stringify({ url, secret }), known: url }) as const

type Channel = { kind: ChannelKind; address: string; known?: string }

/** A person at a venue with channels in this order; returns the ids. */
export async function addPerson(
  db: Pool,
  sealer: Sealer,
  venueId: string,
  ...channels: readonly Channel[]
): Promise<{ personId: string; channelIds: string[] }> {
  const at = new Date()
  const personId = randomUUID()
  const person = { id: personId, venueId, name: 'Wayan', role: 'staff', language: null } as const
  await insertPerson(db, { ...person, at })
  const channelIds: string[] = []
  for (const { kind, address: plain, known = plain } of channels) {
    const id = randomUUID()
    const [digest = Buffer.of()] = channelDigests(sealer, kind, known)
    const address = sealer.seal(plain, channelContext(id))
    await insertChannel(db, { id, personId, kind, address, digest, optedInBy: 'operator', at })
    channelIds.push(id)
  }
  return { personId, channelIds }
}
