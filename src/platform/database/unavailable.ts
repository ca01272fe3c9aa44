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
// PostgreSQL: class 08 connection exception, 57P0x server shutting down or starting, 53300 too many connections.
const serverState = /^(08...|57P0[123]|53300)$/
// node-postgres gives these no code.
const lostConnection = /^(Connection terminated|timeout exceeded when trying to connect)/

/** True when the statement failed because the database cannot be reached or cannot serve now. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return socketErrors.has(code) || serverState.test(code) || lostConnection.test(error.message)
}

// 40 rolled back for another, 53 short of something, 55 locked, 57 ended from outside, 58 disk.
const passingState = /^(40|53|55|57|58)...$/

/** True when the same statement may well be taken a little later: nothing is wrong with what it says. */
export const isPassing = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  (error instanceof Error && 'code' in error && passingState.test(String(error.code)))
