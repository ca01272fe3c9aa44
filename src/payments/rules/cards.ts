/** The cards of the local provider, by what happens to a charge of them. */
export const localCards = ['works', 'declined', 'silent'] as const
export type LocalCard = (typeof localCards)[number]

/** How long the local provider does not answer about a charge of the card `silent`. */
export const SILENT_MS = 2 * 60_000
