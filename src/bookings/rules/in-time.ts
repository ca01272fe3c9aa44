/**
 * An answer before a deadline counts, however late a worker gets to it, until the deadline is acted
 * on. Its row may be written later than it was given: a caller waits up to 5 s for a connection. So
 * act on a deadline this much later.
 */
export const GRACE_MS = 5_000

/** When to act on the end of a wait until `deadline`. */
export const actsAt = (deadline: Date): Date => new Date(deadline.getTime() + GRACE_MS)

/** The time by which to judge a command that runs at `at`. */
export const evaluatedAt = (command: { given_at: Date }, at: Date): Date =>
  command.given_at < at ? command.given_at : at
