import { randomUUIDv7 } from 'node:crypto'
import { invalidRequest, refuse } from '../../base/errors.ts'
import { lockPerson } from '../../confirmation/store/venue-links.ts'
import type { Services } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { channelDigests } from '../rules/channel.ts'
import {
  channelContext,
  endChannel,
  insertChannel,
  selectChannels,
  selectChannelsByDigest,
} from '../store/channels.ts'
import { pushSubscription } from './send-push.ts'

/** Of a person; a further one replaces the oldest. */
const MAX_BROWSERS = 5

type Subscriber = { venueId: string; personId: string | undefined; subscription: string }

/**
 * Notifies a person in the browser with this subscription, a JSON text. A browser that others use
 * too notifies only who subscribed last. Throws `person_required` unless a person is signed in, and
 * `invalid_request` for what no browser would send.
 */
export async function addPushChannel(
  { db, egress }: Pick<Services, 'db' | 'egress'>,
  { venueId, personId, subscription }: Subscriber,
  at: Date,
): Promise<void> {
  const endpoint = endpointIn(subscription)
  if (endpoint === undefined || egress.urlFault(endpoint) !== undefined) {
    const detail = 'expected the subscription of a browser'
    throw invalidRequest([{ pointer: '/subscription', detail }])
  }
  if (personId === undefined) throw refuse('person_required')
  const digests = channelDigests(egress, 'push', endpoint)
  const [digest = Buffer.of()] = digests
  await transaction(db, async (tx) => {
    if (!(await lockPerson(tx, venueId, personId))) throw refuse('person_required')
    const channels = await selectChannels(tx, personId)
    const oldest = channels.filter(({ kind }) => kind === 'push').slice(0, 1 - MAX_BROWSERS)
    const before = await selectChannelsByDigest(tx, digests)
    for (const { id } of [...oldest, ...before]) await endChannel(tx, id, 'removed', at)
    const id = randomUUIDv7()
    const address = egress.seal(subscription, channelContext(id))
    const channel = { id, personId, kind: 'push', address, digest, optedInBy: 'person' } as const
    await insertChannel(tx, { ...channel, at })
  })
}

function endpointIn(subscription: string): string | undefined {
  try {
    return pushSubscription.parse(JSON.parse(subscription)).endpoint
  } catch {
    return undefined
  }
}
