/** How the network identifies itself to subscribers. */
export const WEBHOOK_USER_AGENT = 'venue-network-webhooks/1'

const HIDDEN = '•••'

/** The headers of an attempt, with signatures and the values of custom headers hidden. */
export const sentHeaders = (
  eventId: string,
  startedAt: Date,
  signatures: number,
  customNames: readonly string[],
) => ({
  'content-type': 'application/json',
  'user-agent': WEBHOOK_USER_AGENT,
  'webhook-id': eventId,
  'webhook-timestamp': String(Math.floor(startedAt.getTime() / 1000)),
  'webhook-signature': Array.from({ length: signatures }, () => `v1,${HIDDEN}`).join(' '),
  ...Object.fromEntries(customNames.map((name) => [name.toLowerCase(), HIDDEN])),
})
