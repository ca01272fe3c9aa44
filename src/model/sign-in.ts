/** A session ends after so many days without use, and after `SESSION_MOST_DAYS` in any case. */
export const SESSION_IDLE_DAYS = 14
export const SESSION_MOST_DAYS = 90

/** A token as `newToken` makes it. */
export const tokenPattern = /^[A-Za-z0-9_-]{43}$/
