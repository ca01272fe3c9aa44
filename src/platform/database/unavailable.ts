const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
])
// Class 08 connection failure, 57014 timed out, 57P0x shutting down, starting up or idle for too
// long, 53300 too many connections.
const serverState = /^(08...|57014|57P0[1235]|53300)$/
// Errors to which node-postgres gives no code.
const lostConnection = new RegExp(
  [
    '^Connection terminated',
    '^timeout exceeded when trying to connect$',
    '^Query read timeout$',
    '^Client (has encountered a connection error|was closed) and is not queryable$',
  ].join('|'),
)

/** Whether a statement failed because the database is unreachable or cannot serve it now. */
export function isDatabaseUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return socketErrors.has(code) || serverState.test(code) || lostConnection.test(error.message)
}

// 40 rolled back, 53 out of resources, 55 locked, 57 operator intervention, 58 disk.
const transientState = /^(40|53|55|57|58)...$/

/** Whether the same statement may succeed a little later. */
export const isTransient = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  (error instanceof Error && 'code' in error && transientState.test(String(error.code)))
