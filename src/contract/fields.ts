import { z } from 'zod'

/** Fields that operations of several rooms take and answer under the same name. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'expected 1 to 255 printable ASCII characters, no spaces')
  .describe('Repeat it to get the same answer instead of doing it twice')
export const wait = z
  .int()
  .min(0)
  .max(60)
  .default(10)
  .describe('Seconds to wait for the final answer before answering `pending`')
export const replayed = z.boolean().describe('This is the stored answer to an earlier request')
export const next = z.string().describe('What to do while the answer is pending')
