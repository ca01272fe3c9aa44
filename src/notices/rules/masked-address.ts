import type { ChannelKind } from './channel.ts'

/** An address as it is shown: enough to tell one's own apart, too little to use it. */
export function maskedAddress(kind: ChannelKind, address: string): string {
  if (kind === 'whatsapp') return `${address.slice(0, 3)} … ${address.slice(-2)}`
  if (kind === 'mail') return address.replace(/^(.).*@/, '$1…@')
  return kind === 'post' ? new URL(JSON.parse(address).url).host : ''
}
