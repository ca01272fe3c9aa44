/** How the network identifies itself to subscribers. */
export const WEBHOOK_USER_AGENT = 'venue-network-webhooks/1'

/** Replaces hidden values. */
export const HIDDEN = '•••'

/** The unit of `webhook-timestamp`. */
export const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000)

/** A request as sent: `signatures` are the values of `webhook-signature`. */
type SentRequest = {
  eventId: string
  signedAt: Date
  signatures: readonly string[]
  customNames: readonly string[]
}

/** The headers of an attempt, with the values of custom headers hidden. */
export const sentHeaders = ({ eventId, signedAt, signatures, customNames }: SentRequest) => ({
  'content-type': 'application/json',
  'user-agent': WEBHOOK_USER_AGENT,
  'webhook-id': eventId,
  'webhook-timestamp': String(unixSeconds(signedAt)),
  'webhook-signature': signatures.join(' '),
  ...Object.fromEntries(customNames.map((name) => [name.toLowerCase(), HIDDEN])),
})
