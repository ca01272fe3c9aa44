import type { StuckReason } from '../../operators/rules/stuck.ts'
import type { StuckBooking } from '../../operators/store/stuck.ts'
import texts from './stuck-texts.json' with { type: 'json' }

/** What is wrong with a stuck booking, and what to do about it. */
const words: Record<StuckReason, { what: string; todo: string }> = texts

export const whatOf = ({ reason }: Pick<StuckBooking, 'reason'>): string => words[reason].what

/** The remedy for a stuck booking; for an overdue withdrawal, it depends on the venue’s system. */
export const todoOf = ({ reason, venue_sync }: StuckBooking): string =>
  reason === 'action_overdue' && venue_sync === 'withdraw_due'
    ? 'The venue’s system does not take the cancellation. The network tries again until the ' +
      'slot: see the venue’s connection, and call the venue if the slot is near.'
    : words[reason].todo
