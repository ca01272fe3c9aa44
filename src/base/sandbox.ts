import type { ErrorCode } from './error-catalogue.ts'
import texts from './sandbox.json' with { type: 'json' }

/** The area of all test venues. */
export const SANDBOX_AREA = 'sandbox'

/** The prefix of every test venue's slug. */
export const TEST_SLUG = /^sandbox-/

/** Where an outcome comes from: the venue's built-in system, its people, or either. */
type OutcomeBy = 'system' | 'people' | 'either'

/** A sandbox's outcomes by `guest_ref`; docs/guides/sandbox.md has the same list. */
export const outcomes = texts.outcomes as Record<SandboxOutcome, OutcomeBy>
export type SandboxOutcome = keyof typeof texts.outcomes

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

/** How to trigger an error with a test key, given the error's code. */
export const broughtAbout: Partial<Record<ErrorCode, string>> = texts.broughtAbout
