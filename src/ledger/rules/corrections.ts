import type { LedgerEntry } from './ledger.ts'

type Sides = Pick<LedgerEntry, 'kind' | 'debit' | 'credit'>

/** Manual corrections by an operator, each with its label and ledger entry. */
export const corrections = {
  credit: {
    words: 'Give credit, which pays the next invoices',
    sides: { kind: 'credited', debit: 'goodwill', credit: 'credit' },
  },
  take_back: {
    words: 'Take back credit',
    sides: { kind: 'corrected', debit: 'credit', credit: 'goodwill' },
  },
  refund: {
    words: 'Record a refund, paid out from credit',
    sides: { kind: 'refunded', debit: 'credit', credit: 'cash' },
  },
  charge: {
    words: 'Add to the next invoice',
    sides: { kind: 'accrued', debit: 'unbilled', credit: 'revenue' },
  },
  discount: {
    words: 'Take off the next invoice',
    sides: { kind: 'reversed', debit: 'revenue', credit: 'unbilled' },
  },
} as const satisfies Record<string, { words: string; sides: Sides }>

export type Correction = keyof typeof corrections

export const isCorrection = (text: string | undefined): text is Correction =>
  text !== undefined && Object.hasOwn(corrections, text)
