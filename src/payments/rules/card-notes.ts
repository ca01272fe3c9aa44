import { CARD_PAYER } from '../../base/money.ts'
import type { OwnBooking } from '../../contract/public.ts'
import type { Card } from './provider.ts'

type Charged = Pick<OwnBooking, 'status' | 'hold_until'> & {
  fee: { charged_to: string; amount_minor: number; text: string }
}

/** A card as its owner recognises it: `Visa 4242`. */
const cardName = (card: Card | null): string =>
  card ? `${card.brand} ${card.last4}` : 'your user’s saved card'

/** What a booking charges to its account's card; undefined if the card does not pay. */
export function cardNote(
  { status, hold_until, fee }: Charged,
  card: Card | null,
  isChange: boolean,
) {
  if (fee.charged_to !== CARD_PAYER || fee.amount_minor === 0) return undefined
  const name = cardName(card)
  if (status === 'held' && hold_until) return `Confirming charges ${fee.text} to ${name}.`
  if (status !== 'confirmed') {
    return `${fee.text} is reserved on ${name} first, and charged only once the venue has said yes.`
  }
  return isChange
    ? 'What the card has paid above the fee becomes credit.'
    : `${fee.text} is charged to ${name}.`
}
