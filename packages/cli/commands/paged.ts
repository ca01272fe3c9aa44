/** The options of lists. */
export const paged = {
  limit: { kind: 'number', value: 'N', about: 'Rows per page, at most 100' },
  cursor: { kind: 'text', value: 'CURSOR', about: 'Cursor of the next page, from the page before' },
} as const
