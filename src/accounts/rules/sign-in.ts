import type { ThrottleLimit } from '../../base/throttle.ts'

/** A session ends after this many days without use, and at the latest after `SESSION_MAX_DAYS`. */
export const SESSION_IDLE_DAYS = 14
export const SESSION_MAX_DAYS = 90
/** A developer's next sign-in ends the least recently used session. */
export const MAX_SESSIONS = 50

/** The form of tokens made by `newToken`. */
export const tokenPattern = /^[A-Za-z0-9_-]{43}$/

const HOUR = 3_600
const DAY = 24 * HOUR

/** Limits by network address or email address. */
export const throttles = {
  signInByAddress: { name: 'sign-in by address', most: 60, windowSeconds: HOUR / 4 },
  // Strangers' attempts count against their network address, not the owner. `signInByEmail` covers
  // attempts from everywhere, except browsers in which the owner has signed in.
  signInHere: { name: 'sign-in by address and e-mail', most: 10, windowSeconds: HOUR / 4 },
  signInByDevice: { name: 'sign-in by device', most: 10, windowSeconds: HOUR / 4 },
  signInByDevices: { name: 'sign-in by known devices', most: 30, windowSeconds: HOUR / 4 },
  signInByEmail: { name: 'sign-in by e-mail', most: 100, windowSeconds: HOUR / 4 },
  signUpByAddress: { name: 'sign-up by address', most: 20, windowSeconds: HOUR },
  signUpByAddressDaily: { name: 'sign-ups of a day by address', most: 100, windowSeconds: DAY },
  mailByAddress: { name: 'mail by address', most: 20, windowSeconds: HOUR },
  // Per session, so that a stolen session cannot use up its owner's attempts.
  passwordBySession: { name: 'password by session', most: 10, windowSeconds: HOUR },
  resetByAddress: { name: 'reset by address', most: 20, windowSeconds: HOUR },
  invitesByAccount: { name: 'invitations by account', most: 50, windowSeconds: DAY },
  // Limited per kind of email, so that emails triggered by strangers do not block others.
  triedToEmail: { name: 'sign-up tried, to e-mail', most: 3, windowSeconds: HOUR },
  verifyToEmail: { name: 'verification to e-mail', most: 3, windowSeconds: HOUR },
  resetToEmail: { name: 'reset to e-mail', most: 3, windowSeconds: HOUR },
  invitesToEmail: { name: 'invitations of an account to e-mail', most: 5, windowSeconds: DAY },
  invitesToEmailInAll: { name: 'invitations to e-mail', most: 50, windowSeconds: DAY },
  signInToEmail: { name: 'sign-in notice, to e-mail', most: 5, windowSeconds: HOUR },
  connectedToEmail: { name: 'assistant connected, to e-mail', most: 10, windowSeconds: HOUR },
  // Guesses at six digits, of which three are right at a time (NIST SP 800-63B, 3.2.2).
  codeByDeveloper: { name: 'second factor by developer', most: 10, windowSeconds: HOUR },
  challengeByAddress: { name: 'passkey by address', most: 60, windowSeconds: HOUR / 4 },
  factorsToEmail: { name: 'second factor changed, to e-mail', most: 20, windowSeconds: HOUR },
  changedToEmail: { name: 'password changed, to e-mail', most: 3, windowSeconds: HOUR },
} as const satisfies Record<string, ThrottleLimit>

const REPEAT_MS = 60_000

/** A form resubmitted within a minute, for example by a second click, gets the same answer. */
export const repeatedSince = (at: Date): Date => new Date(at.getTime() - REPEAT_MS)

/** After this many days without a sign-in, a device or address counts as new again. */
export const PLACE_DAYS = 90

/** How long links in emails remain valid, in hours. */
export const VERIFY_HOURS = 48
export const RESET_HOURS = 1

export const PASSWORD_MIN = 10
export const PASSWORD_MAX = 200
