import { type Pool, together, transaction } from '../../platform/database/sql.ts'
import type { NoticeEngine } from '../engine.ts'
import { selectUnreported } from '../store/attempts.ts'
import { endChannel, insertOptOut, selectChannelsByDigest } from '../store/channels.ts'
import { selectVenueOfPerson } from '../store/people.ts'
import { insertChange } from '../store/person-changes.ts'
import { recordStatus } from './record-status.ts'

type Deps = { db: Pool; engine: Pick<NoticeEngine, 'wakeNotice'> }

/**
 * Ends all messages to an address, as its owner wants; the notices that wait there use the next
 * channel. Takes the address's digests under every key; false if this was known.
 */
export async function stopAddress(
  { db, engine }: Deps,
  digests: readonly Buffer[],
  reason: 'stopped' | 'unsubscribed',
  at: Date,
): Promise<boolean> {
  const [digest = Buffer.of()] = digests
  const { isNew, channels } = await transaction(db, async (tx) => {
    const found = await selectChannelsByDigest(tx, digests)
    for (const { id, person_id: personId } of found) {
      await endChannel(tx, id, reason, at)
      const venueId = await selectVenueOfPerson(tx, personId)
      const action = 'channel_ended'
      await insertChange(tx, { venueId, actorId: personId, personId, action, at })
    }
    return { isNew: (await insertOptOut(tx, digest, at)) > 0, channels: found }
  })
  for (const { id } of channels) await failWaiting({ db, engine }, id, at)
  return isNew
}

/** Lets the notices that wait for a channel that has ended use the next one. */
async function failWaiting({ db, engine }: Deps, channelId: string, at: Date) {
  const waiting = await selectUnreported(db, channelId)
  const report = { status: 'failed', at, failure: 'its owner stopped it' } as const
  await together(...waiting.map((attemptId) => recordStatus(db, engine, { attemptId }, report)))
}
