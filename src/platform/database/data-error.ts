/** PostgreSQL, class 22: a value that no statement of ours can take, today or later. */
const DATA_EXCEPTION = /^22/

/**
 * Whether an error is about a statement's or row's data, so that a retry fails again. Class 23 is
 * not: another transaction may have come first, and the next try sees it.
 */
export const isDataError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'ZodError' || ('code' in error && DATA_EXCEPTION.test(String(error.code))))
