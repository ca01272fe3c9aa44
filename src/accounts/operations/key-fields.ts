import { z } from 'zod'
import { givenInstant } from '../../contract/public.ts'
import { text } from '../../contract/text.ts'
import { scopeList } from '../schema/keys.ts'

/** What operations on keys take, under the same names everywhere. */
export const keyId = z.uuid().toLowerCase().describe('`id` of a key, not the raw key')
export const name = text(100)
  .refine((value) => !/\p{C}/u.test(value), 'expected text without control characters')
  .describe('To tell your keys apart: where it is used, for example')
export const expiresAt = givenInstant
  .nullable()
  .describe('Refused from this instant on; null: never')
export const scopes = scopeList.describe(
  'What it may do besides searching and booking. A key gives only scopes that it has',
)
export const overlapHours = z
  .int()
  .min(0)
  .max(168)
  .default(24)
  .describe('So long the old key stays valid, unless it ends before')

/** What they answer besides the key. */
export const rawKey = z
  .string()
  .optional()
  .describe('The raw key, shown this once: only its hash is stored')
