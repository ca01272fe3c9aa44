/** What became of a deposit. */
export const depositStatuses = ['due', 'taken', 'kept', 'returned', 'void'] as const
export type DepositStatus = (typeof depositStatuses)[number]

/** Why a deposit was kept or returned. */
export type DepositReason =
  | 'cancelled_in_time'
  | 'cancelled_late'
  | 'venue_cancelled'
  | 'visited'
  | 'no_show'
  | 'attended'
  | 'dispute'

/** The only moves there are; the trigger `deposit_move` refuses any other. */
export const depositMoves: Record<DepositStatus, readonly DepositStatus[]> = {
  due: ['taken', 'void'],
  taken: ['kept', 'returned'],
  kept: ['returned'],
  returned: [],
  void: [],
}

const words = {
  deposit: {
    taken: 'Its deposit was taken.',
    kept: 'Its deposit was kept for the venue.',
    returned: 'Its deposit was returned.',
  },
  guarantee: {
    taken: 'Its guarantee was given.',
    kept: 'Its guarantee was charged for the venue.',
    returned: 'Its guarantee ended, and nothing was charged.',
  },
}

/** What became of a deposit or guarantee, in the timeline. */
export const depositWords = (
  { kind }: { kind: keyof typeof words },
  to: 'taken' | 'kept' | 'returned',
): string => words[kind][to]

/** How long after it was kept a deposit can be disputed. */
export const DISPUTE_DAYS = 14
