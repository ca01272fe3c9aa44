import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { NoticeMessage } from './message.ts'

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

/** Whether the provider accepted a message, or why it never will; `ends` ends the channel. */
export type SendResult =
  | { status: 'sent'; providerId?: string }
  | { status: 'failed'; failure: string; ends?: ChannelEnd }

/**
 * Sends a message to an address. Throws if our side or something temporary is the cause: the same
 * message is then sent again, unless an `OutboundError` says that it may have been `sent` and the
 * channel knows no idempotency key.
 */
export type ChannelSender = (
  message: NoticeMessage,
  address: string,
  channel: { id: string; heardAt: Date | null },
  signal: AbortSignal,
) => Promise<SendResult>

/** The senders of the channels that this network can use. */
export type Senders = Partial<Record<ChannelKind, ChannelSender>>

/** Channels on which a message sent twice with the same id counts as one. */
export const isIdempotent = (kind: ChannelKind): boolean => kind !== 'whatsapp'

/** Channels whose provider reports what happened to a message after it was accepted. */
export const reportsDelivery = (kind: ChannelKind): boolean => kind === 'whatsapp'

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
  const one = kind === 'mail' ? plain.toLowerCase() : kind === 'whatsapp' ? dialled(plain) : plain
  return digests(`notice ${kind} ${one}`)
}

/** The part of a channel's address by which `channelDigests` knows it. */
export function knownAddress(kind: ChannelKind, address: string): string {
  if (kind === 'post') return JSON.parse(address).url
  return kind === 'push' ? JSON.parse(address).endpoint : address
}

/**
 * A number as WhatsApp and as people write it: in Mexico, Argentina, Brazil and Benin, mobile
 * numbers have a further digit that one of them leaves out.
 */
const dialled = (number: string): string =>
  number
    .replace(/^\+521(\d{10})$/, '+52$1')
    .replace(/^\+549(\d{10})$/, '+54$1')
    .replace(/^\+55(\d\d)9([6-9]\d{7})$/, '+55$1$2')
    .replace(/^\+22901(\d{8})$/, '+229$1')
