/** The cards of the local provider, named after the outcome of a charge. */
export const localCards = ['works', 'declined', 'silent'] as const
export type LocalCard = (typeof localCards)[number]

/** How long a charge of the card `silent` goes unanswered. */
export const SILENT_MS = 2 * 60_000
