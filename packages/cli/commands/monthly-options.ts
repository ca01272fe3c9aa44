import { paged } from './paged.ts'

/** The options of lists by month. */
export const monthly = {
  month: { kind: 'text', value: 'YYYY-MM', about: 'Only of this month, in UTC' },
  currency: { kind: 'text', value: 'CODE', about: 'Only in this currency, as IDR' },
  ...paged,
} as const
