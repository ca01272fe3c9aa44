/** The cards of the local provider, named after the outcome of a charge. */
export const localCards = ['works', 'declined', 'asks', 'silent'] as const
export type LocalCard = (typeof localCards)[number]

/** Their last digits, which are those of Stripe's test cards where it has such a card. */
export const localLast4: Readonly<Record<LocalCard, string>> = {
  works: '4242',
  declined: '0002',
  asks: '3184',
  silent: '1111',
}

/** Why later charges of a card fail; the bank of `asks` wants its holder to be there. */
export const localFailures: Readonly<Partial<Record<LocalCard, string>>> = {
  declined: 'card_declined',
  asks: 'authentication_required',
}

/** How long a charge of the card `silent` goes unanswered. */
export const SILENT_MS = 2 * 60_000
