import { invalidRequest, refuse } from '../../base/errors.ts'
import type { Services } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { channelDigests } from '../rules/channel.ts'
import { endChannel, selectChannels, selectChannelsByDigest } from '../store/channels.ts'
import { lockPeople } from '../store/people.ts'
import { addChannel } from './add-channel.ts'
import { pushSubscription } from './send-push.ts'

/** Of a person; a further one replaces the oldest. */
const MAX_BROWSERS = 5

type Subscriber = { venueId: string; personId: string | undefined; subscription: string }

/**
 * Notifies a person in the browser with this subscription, a JSON text. A browser that others of
 * the venue use too notifies only who subscribed last. Throws `person_required` unless a person is
 * signed in, and `invalid_request` for what no browser would send.
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
  await transaction(db, async (tx) => {
    const people = await lockPeople(tx, venueId)
    const browsers = (await selectChannels(tx, personId)).filter(({ kind }) => kind === 'push')
    const same = await selectChannelsByDigest(tx, channelDigests(egress, 'push', endpoint))
    const before = same.filter((one) => people.some(({ id }) => id === one.person_id))
    const others = browsers.filter(({ id }) => before.every((one) => one.id !== id))
    for (const { id } of [...others.slice(0, 1 - MAX_BROWSERS), ...before]) {
      await endChannel(tx, id, 'removed', at)
    }
    const channel = { venueId, personId, kind: 'push', address: subscription } as const
    await addChannel(tx, egress, channel, 'person', at)
  })
}

function endpointIn(subscription: string): string | undefined {
  try {
    return pushSubscription.parse(JSON.parse(subscription)).endpoint
  } catch {
    return undefined
  }
}
