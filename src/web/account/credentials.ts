import { z } from 'zod'
import { PASSWORD_MAX, PASSWORD_MIN, tokenPattern } from '../../accounts/rules/sign-in.ts'
import { checkbox, field } from '../page/components.ts'
import { textFields } from '../page/forms.ts'

const address = 'Enter an email address, such as ayu@example.com.'
const length = `Use a password of ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`

export const email = z
  .string(address)
  .trim()
  .max(254, address)
  .pipe(z.email({ error: address }))

/** A new password. */
export const newPassword = z
  .string(length)
  .min(PASSWORD_MIN, length)
  .max(PASSWORD_MAX, length)
  .refine((text) => text.trim() !== '', 'Use more than blanks.')

/** A password to verify. */
export const password = z
  .string('Enter your password.')
  .min(1, 'Enter your password.')
  .max(PASSWORD_MAX, length)

/** The token in a link. An invalid token becomes '', which matches nothing. */
export const token = z.string().regex(tokenPattern).catch('')

/** The token in a query or form. */
export const tokenIn = (source: unknown) => token.parse(textFields(source, ['token']).token)

const emailInput = { name: 'email', type: 'email', maxlength: 254 }
const passwordInput = { name: 'password', type: 'password', required: true }

export const emailField = (value = '', error?: string, autocomplete = 'username') =>
  field('Email', { ...emailInput, autocomplete, value, error, required: true })

export const newPasswordField = (label: string, name: string, effect = '', error?: string) => {
  const input = { name, error, autocomplete: 'new-password', minlength: PASSWORD_MIN }
  return field(
    label,
    { ...passwordInput, ...input },
    `At least ${PASSWORD_MIN} characters.${effect}`,
  )
}

export const currentPasswordField = (label: string, error?: string) =>
  field(label, { ...passwordInput, error, autocomplete: 'current-password' })

/** Ticked by a person who thinks that somebody else has been at their account. */
export const disconnectBox = checkbox('Also disconnect my assistants', 'disconnects', 'yes', true)
export const disconnects = z
  .literal('yes')
  .optional()
  .transform((value) => value === 'yes')

export const SIGNS_OUT = ' This signs you out everywhere else.'
