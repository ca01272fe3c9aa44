import { z } from 'zod'
import { depositKinds, depositUnits, KEPT_IF } from './rules/deposits.ts'
import { amountText, chargedTo, currency, withTexts } from './twins.ts'

const kind = z
  .enum(depositKinds)
  .describe('`guarantee`: nothing is charged unless it is kept for the venue')
const per = z.enum(depositUnits)

/** What a venue asks for at a time, for the parties that it names. */
const slotDeposit = z.object({
  kind,
  amount_minor: z.int(),
  text: z.string().describe('In words, with the parties, days and hours it is for'),
  currency,
  per,
  party_min: z.int().describe('For parties of this size or more; the first that fits counts'),
  kept_if: z.literal(KEPT_IF),
})

export const slotDeposits = z
  .array(slotDeposit)
  .optional()
  .describe('Deposits that the venue asks for at this time; absent for none')

/** The deposit of a booking, shown from the hold on. */
export const bookingDeposit = z
  .object({
    kind,
    amount_minor: z.int().describe('For the whole party'),
    text: amountText,
    currency,
    per,
    status: z
      .enum(['due', 'taken', 'kept', 'returned', 'void'])
      .describe('`due` until the booking is confirmed; `void` if it never was'),
    charged_to: chargedTo,
    returned_until: z.iso.datetime().describe('Cancelling up to this time returns it'),
    kept_if: z.literal(KEPT_IF).prefault(KEPT_IF),
  })
  .overwrite(withTexts)

/** What happens to a deposit when its booking is cancelled. */
export const cancelledDeposit = z
  .object({
    outcome: z.enum(['none', 'returned', 'kept']),
    amount_minor: z.int(),
    text: amountText,
    currency,
  })
  .overwrite(withTexts)
