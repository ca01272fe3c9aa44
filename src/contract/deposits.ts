import { z } from 'zod'
import { depositKinds, depositUnits } from '../base/deposits.ts'
import { foreignText } from './foreign-text.ts'
import { currency } from './local-times.ts'
import { named } from './named.ts'

/** A deposit or card guarantee that a venue requires of guests. The network does not collect it. */
const stated = z.object({
  kind: z
    .enum(depositKinds)
    .meta({ id: 'DepositKind' })
    .describe('`guarantee`: a card that the venue charges only if it keeps the amount'),
  amount_minor: z.int(),
  text: z.string(),
  currency,
  kept_when: foreignText('When the venue keeps it; absent if it has not said').optional(),
  how_to_pay: foreignText('How the guest pays the venue; absent if it has not said').optional(),
})

const slotDeposit = named('SlotDeposit', {
  ...stated.shape,
  per: z.enum(depositUnits).meta({ id: 'DepositUnit' }),
  text: z.string().describe('In words, with the parties, days and hours it is for'),
  party_min: z
    .int()
    .describe('For parties of at least this size; the first rule that matches applies'),
})

export const slotDeposits = z
  .array(slotDeposit)
  .optional()
  .describe(
    'What the venue itself asks its guests for at this time; absent if nothing. The network ' +
      'does not charge it',
  )

/** The deposit that a venue requires of a party. */
export const bookingDeposit = named('BookingDeposit', {
  ...stated.shape,
  amount_minor: z.int().describe('For the whole party'),
}).describe('What the guest owes the venue: tell your user. The network does not charge it')
