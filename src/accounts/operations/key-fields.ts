import { z } from 'zod'
import { givenInstant, visibleText } from '../../contract/fields.ts'
import { MAX_ALLOWED_IPS, networkOf } from '../rules/allowed-ips.ts'
import { scopeList } from '../schema/keys.ts'
import { modes } from '../schema/plan.ts'

/** Input fields of the operations on keys. */
export const keyId = z.uuid().toLowerCase().describe('`id` of a key, not the raw key')
export const name = visibleText(100)
  .refine((value) => !/\p{C}/u.test(value), 'expected text without control characters')
  .describe('A name for your own use, such as where the key is used')
export const mode = z
  .enum(modes)
  .describe('`test`: for the sandbox. Default: the mode of your own key')
export const expiresAt = givenInstant
  .nullable()
  .describe('The key is refused from this instant on; null: never')
export const scopes = scopeList.describe(
  'What the key may do besides reading: without `bookings` it cannot hold, book, change or ' +
    'cancel. A key can grant only scopes that it has',
)
export const allowedIps = z
  .array(
    z
      .string()
      .max(50)
      .refine(
        (text) => networkOf(text) !== undefined,
        'expected an IP address or a CIDR range, such as 203.0.113.0/24',
      )
      .transform((text) => networkOf(text) ?? text),
  )
  .max(MAX_ALLOWED_IPS)
  .transform((networks) => [...new Set(networks)])
  .describe('Only these IP addresses and CIDR ranges may use the key; empty: any')
  .meta({ examples: [['203.0.113.7', '2001:db8::/32']] })
export const overlapHours = z
  .int()
  .min(0)
  .max(168)
  .default(24)
  .describe('Hours for which the old key stays valid, unless it expires earlier')

export const newKeyErrors = [
  'scope_required',
  'key_limit',
  'too_many_tries',
  'idempotency_mismatch',
] as const

/** An output field returned alongside the key. */
export const rawKey = z
  .string()
  .optional()
  .describe('The raw key, shown once: only its hash is stored')
