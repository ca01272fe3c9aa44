import type { ErrorCode } from './error-catalogue.ts'

/** The area of all test venues. */
export const SANDBOX_AREA = 'sandbox'

/** The prefix of every test venue's slug. */
export const TEST_SLUG = /^sandbox-/

/** Where an outcome comes from: the venue's built-in system, its people, or either. */
type OutcomeBy = 'system' | 'people' | 'either'

/** A sandbox's outcomes by `guest_ref`; docs/guides/sandbox.md has the same list. */
export const outcomes = {
  confirmed: 'either',
  slow: 'either',
  declined: 'system',
  declined_full: 'people',
  declined_closed: 'people',
  declined_party_size: 'people',
  declined_short_notice: 'people',
  declined_other: 'people',
  offer: 'people',
  silent: 'either',
  down: 'system',
  late_yes: 'system',
  cancelled: 'either',
  no_show: 'either',
  attended: 'either',
  amend_declined: 'system',
  amend_silent: 'system',
  hold_expires: 'either',
} as const satisfies Record<string, OutcomeBy>
export type SandboxOutcome = keyof typeof outcomes

const PREFIX = 'sandbox:'

/** The outcome requested by a `guest_ref`, such as `sandbox:slow` or `sandbox:slow/guest 17`. */
export function outcomeOf(guestRef: string | null | undefined): SandboxOutcome | undefined {
  if (!guestRef?.startsWith(PREFIX)) return undefined
  const [name = ''] = guestRef.slice(PREFIX.length).split('/', 1)
  return Object.hasOwn(outcomes, name) ? (name as SandboxOutcome) : undefined
}

/** Whether a `guest_ref` requests an outcome; that outcome may not exist. */
export const asksForOutcome = (guestRef: string): boolean => guestRef.startsWith(PREFIX)

/** How long a hold with the `guest_ref` `sandbox:hold_expires` lasts. */
export const SHORT_HOLD_MS = 2_000

const ref = (outcome: SandboxOutcome) => `\`guest_ref\` \`${PREFIX}${outcome}\``
const venue = (word: string) => `venue \`sandbox-${word}\``

/** How to trigger an error with a test key, given the error's code. */
export const broughtAbout: Partial<Record<ErrorCode, string>> = {
  venue_declined: `${ref('declined')}, or ${venue('declines')}`,
  venue_no_answer: `${ref('silent')}, or ${venue('silent')}`,
  slot_unavailable: venue('full'),
  venue_closed: venue('closed'),
  hold_expired: ref('hold_expires'),
  no_offer: `an answer to an offer while ${ref('slow')} is pending`,
  amend_not_supported: `a change at ${venue('people')}`,
  duplicate_booking: 'the same slot and `guest_ref` twice, with other notes',
  party_too_large: 'a party of 21',
  beyond_horizon: 'a slot in 91 days',
  venue_not_found: 'any live venue',
  live_key_required: 'any test key, for the feed or an agent',
}
