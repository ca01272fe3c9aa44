/** How the network names itself to subscribers. */
export const WEBHOOK_USER_AGENT = 'venue-network-webhooks/1'

const HIDDEN = '•••'

/** What is known of the header fields of an attempt; `names` are those that its owner chose. */
type Sent = { eventId: string; startedAt: Date; signatures: number; names: readonly string[] }

/** The header fields of an attempt with everything secret hidden: signatures, and the values that the owner chose. Its time is that of its start. */
export const sentHeaders = ({ eventId, startedAt, signatures, names }: Sent) => ({
  'content-type': 'application/json',
  'user-agent': WEBHOOK_USER_AGENT,
  'webhook-id': eventId,
  'webhook-timestamp': String(Math.floor(startedAt.getTime() / 1000)),
  'webhook-signature': Array.from({ length: signatures }, () => `v1,${HIDDEN}`).join(' '),
  ...Object.fromEntries(names.map((name) => [name.toLowerCase(), HIDDEN])),
})
