/** PostgreSQL, class 22: a value that none of our statements can ever handle. */
const DATA_EXCEPTION = /^22/

/**
 * Whether an error lies in the data of a statement or row, so that a retry would fail again. Class
 * 23 does not: another transaction may have come first, which the next try sees.
 */
export const isDataError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'ZodError' || ('code' in error && DATA_EXCEPTION.test(String(error.code))))
