import { z } from 'zod'
import { instant } from '../../contract/public.ts'
import { amountText, currency } from '../../contract/twins.ts'
import { promises } from '../rules/tariff.ts'

const promise = z.enum(promises)
const credit = {
  credit_minor: z.int().describe('What it was credited with; 0 at demo venues'),
  credit_text: amountText,
  currency,
}

/** A promise that was broken for a booking. */
export const breach = z.object({
  id: z.uuid(),
  booking_id: z.uuid(),
  promise,
  why: z.string().describe('What was found, with the measured time'),
  broken_at: instant,
  found_at: instant,
  is_demo: z.boolean().describe('At a demo venue: counted, and nothing is credited'),
  ...credit,
})
export type Breach = z.infer<typeof breach>

/** The breaches of one promise and their credits in a period. */
export const credited = z.object({ promise, breaches: z.int(), ...credit })

/** A promise with its number and its credit. */
export const promised = z.object({
  promise,
  title: z.string(),
  text: z.string().describe('The promise in words'),
  within_seconds: z.int().nullable().describe('null: must never happen'),
  ...credit,
})
