import type { ThrottleLimit } from '../../base/throttle.ts'

export const PIN_DIGITS = 6

/** Whether strangers would try a PIN first: one digit repeated, or digits in a row. */
export function isWeakPin(pin: string): boolean {
  const steps = new Set([...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index])))
  return steps.size === 1 && [0, 1, -1].some((step) => steps.has(step))
}

const HOUR = 3_600

/** Limits of attempts; a right PIN clears those of its person. */
export const pinThrottles = {
  byAddress: { name: 'PIN by address', most: 60, windowSeconds: HOUR / 4 },
  byPerson: { name: 'PIN by person', most: 10, windowSeconds: HOUR },
  // NIST SP 800-63B, 3.2.2: at most 100 wrong ones in a row; a new invitation clears it too.
  inRow: { name: 'PINs in a row by person', most: 100, windowSeconds: 30 * 24 * HOUR },
  joinByAddress: { name: 'invitation by address', most: 30, windowSeconds: HOUR },
} as const satisfies Record<string, ThrottleLimit>

/** Limits of mails that prove an address. */
export const addressThrottles = {
  byPerson: { name: 'proof of an address by person', most: 10, windowSeconds: 24 * HOUR },
  toAddress: { name: 'proof, to e-mail', most: 3, windowSeconds: HOUR },
} as const satisfies Record<string, ThrottleLimit>
