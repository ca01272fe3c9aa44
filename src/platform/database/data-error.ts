/** PostgreSQL's error class 22: no retry of the statement can handle the value. */
const DATA_EXCEPTION = /^22/

/**
 * Whether the data of a statement or row caused an error, so that a retry would fail again. Not
 * true of class 23: another transaction may have committed first, which a retry would see.
 */
export const isDataError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'ZodError' || ('code' in error && DATA_EXCEPTION.test(String(error.code))))
