import { z } from 'zod'
import { instant } from '../../contract/public.ts'
import { depositKinds, depositUnits } from '../../contract/rules/deposits.ts'
import { amountText, currency } from '../../contract/twins.ts'

/** A dispute about a deposit, as its account sees it. */
export const dispute = z.object({
  id: z.uuid(),
  booking_id: z.uuid(),
  reason: z.string(),
  status: z.enum(['open', 'kept', 'returned']),
  decision_reason: z.string().nullable(),
  opened_at: instant,
  decided_at: instant.nullable(),
  deposit: z.object({
    kind: z.enum(depositKinds),
    per: z.enum(depositUnits),
    amount_minor: z.int(),
    text: amountText,
    currency,
  }),
})
