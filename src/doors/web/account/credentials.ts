import { z } from 'zod'
import { PASSWORD_MAX, PASSWORD_MIN, tokenPattern } from '../../../accounts/rules/sign-in.ts'

const address = 'Enter an email address, such as ayu@example.com.'
const length = `A password has ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`

/** An address that a mail can be sent to; no control characters, no spaces, one `@`. */
export const email = z
  .string(address)
  .trim()
  .max(254, address)
  .pipe(z.email({ error: address }))

/** A password that is being set. */
export const newPassword = z.string(length).min(PASSWORD_MIN, length).max(PASSWORD_MAX, length)

/** A password that is being proved. */
export const password = z
  .string('Enter your password.')
  .min(1, 'Enter your password.')
  .max(PASSWORD_MAX, length)

/** The token of a link; anything else is a link that is no longer good. */
export const token = z.string().regex(tokenPattern).catch('')
