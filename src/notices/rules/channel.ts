import type { Sealer } from '../../platform/sealing/sealing.ts'

/** How people at venues can be notified. */
export const channelKinds = ['whatsapp', 'mail', 'push', 'post'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** Why a channel is not used any longer. */
export type ChannelEnd =
  | 'stopped'
  | 'wrong_number'
  | 'recycled'
  | 'gone'
  | 'removed'
  | 'unsubscribed'

/**
 * Keyed digests of an address, one per key: store the first, compare with all. A number is in E.164
 * format; for a push subscription and a signed POST, the address is the URL.
 */
export const channelDigests = (
  { digests }: Pick<Sealer, 'digests'>,
  kind: ChannelKind,
  address: string,
): Buffer[] => {
  const plain = address.trim()
  return digests(`notice ${kind} ${kind === 'mail' ? plain.toLowerCase() : plain}`)
}
