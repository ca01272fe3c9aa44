import { z } from 'zod'
import { depositKinds, depositUnits } from '../../base/deposits.ts'
import { text } from '../../contract/fields.ts'
import { type DepositRule, MAX_DEPOSIT_RULES } from '../rules/deposit.ts'

const MAX_WORDS = 300
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be HH:MM')

/** The deposit rules of a service, as stored and as imported. */
export const depositRules: z.ZodType<DepositRule[]> = z
  .array(
    z.strictObject({
      kind: z.enum(depositKinds).default('deposit'),
      amount_minor: z.int().min(1).max(100_000_000_000),
      per: z.enum(depositUnits).default('guest'),
      party_min: z.int().min(1).max(10_000).optional(),
      days: z.array(z.int().min(1).max(7)).min(1).max(7).optional(),
      from: clock.optional(),
      until: clock.optional(),
      kept_when: text(MAX_WORDS).optional(),
      how_to_pay: text(MAX_WORDS).optional(),
    }),
  )
  .min(1)
  .max(MAX_DEPOSIT_RULES)
