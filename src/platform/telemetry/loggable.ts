/** An error for the log: where it came from, without the values that drivers attach to theirs. */
export function loggable(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error ? { code: String(error.code) } : {}
  return { type: error.name, message: error.message, stack: error.stack, ...code }
}
