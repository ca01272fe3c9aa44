/** A session ends after so many days without use, and after `SESSION_MOST_DAYS` in any case. */
export const SESSION_IDLE_DAYS = 14
export const SESSION_MOST_DAYS = 90
/** One more sign-in of the same developer ends the session that was used the longest time ago. */
export const MOST_SESSIONS = 50

/** A token as `newToken` makes it. */
export const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** A limit on tries by people: at most `most` in `windowSeconds`. */
export type TryLimit = { name: string; most: number; windowSeconds: number }

const HOUR = 3_600

/** What can be tried how often, by an address of the network or about an e-mail address. */
export const tryLimits = {
  signInByAddress: { name: 'sign-in by address', most: 60, windowSeconds: HOUR / 4 },
  signInByEmail: { name: 'sign-in by e-mail', most: 10, windowSeconds: HOUR / 4 },
  signUpByAddress: { name: 'sign-up by address', most: 20, windowSeconds: HOUR },
  mailByAddress: { name: 'mail by address', most: 20, windowSeconds: HOUR },
  passwordByEmail: { name: 'password by e-mail', most: 10, windowSeconds: HOUR },
  resetByAddress: { name: 'reset by address', most: 20, windowSeconds: HOUR },
  // Each kind of mail by itself: what a stranger can have sent must not keep back what its owner asks for.
  triedToEmail: { name: 'sign-up tried, to e-mail', most: 3, windowSeconds: HOUR },
  verifyToEmail: { name: 'verification to e-mail', most: 3, windowSeconds: HOUR },
  resetToEmail: { name: 'reset to e-mail', most: 3, windowSeconds: HOUR },
  changedToEmail: { name: 'password changed, to e-mail', most: 3, windowSeconds: HOUR },
} as const satisfies Record<string, TryLimit>

const REPEAT_MS = 60_000

/** What was done after this is answered the same when its form is sent once more, as by two clicks. */
export const repeatedSince = (at: Date): Date => new Date(at.getTime() - REPEAT_MS)

/** How long the links in mails are good. */
export const VERIFY_HOURS = 48
export const RESET_HOURS = 1

export const PASSWORD_MIN = 10
export const PASSWORD_MAX = 200
