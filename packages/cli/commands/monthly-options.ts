/** The options of lists by month. */
export const monthly = {
  month: { kind: 'text', value: 'YYYY-MM', about: 'Only of this month, in UTC' },
  currency: { kind: 'text', value: 'CODE', about: 'Only in this currency, as IDR' },
  limit: { kind: 'number', value: 'N', about: 'Rows per page, at most 100' },
  cursor: { kind: 'text', value: 'CURSOR', about: 'Cursor of the next page, from the page before' },
} as const
