/**
 * Every pass over rows, grouped by what runs it: the periodic workflows (`schedules.ts`) or
 * `resume-all`. Failing rows are listed under its name. A test poisons a row in each.
 */
export const passes = {
  sweep: [
    'broken-runs',
    'bookings',
    'groups',
    'test-clocks',
    'responses',
    'commands',
    'endpoints',
    'x402-refunds',
    'card-fees',
    'guest-details',
    'old-keys',
    'replies',
    'old-test-calls',
    'oauth-artifacts',
    'oauth-grants',
    'oauth-clients',
    'notices',
    'day-lists',
    'old-notices',
    'old-channels',
    'old-people',
  ],
  waitlistScan: ['waitlist-venues', 'waitlist-offers', 'offered-holds', 'waitlist-entries'],
  mirror: ['mirror'],
  paymentUpkeep: ['x402-failed'],
  webhookUpkeep: ['held-deliveries', 'endpoint-mails'],
  collect: [
    'carried-dunnings',
    'payments',
    'refunds',
    'charges',
    'dunnings',
    'provider-events',
    'dunning-mails',
  ],
  retention: [
    'pro-months',
    'close-months',
    'old-calls',
    'old-counts',
    'ended-sessions',
    'ended-tokens',
    'old-places',
    'ended-invitations',
    'ended-throttles',
    'lapsed-names',
    'old-mails',
    'sent-mails',
    'history',
    'counters',
    'old-deliveries',
    'old-challenges',
    'old-replays',
    'old-endpoints',
    'old-endpoint-commands',
  ],
  resumeAll: ['resume-all'],
} as const

type Name = (typeof passes)[keyof typeof passes][number]

/** A pass, or its part for a given account or venue. */
export type PassName = Name | `${Name} ${string}`
