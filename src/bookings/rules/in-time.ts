/**
 * What is said before a deadline counts, however late a worker comes to it, as long as the deadline
 * has not been acted on. Its row may be written later than it was said: a caller waits up to 5 s
 * for a connection. So a deadline is acted on this much later.
 */
export const GRACE_MS = 5_000

/** When the end of a wait until `deadline` is acted on. */
export const actsAt = (deadline: Date): Date => new Date(deadline.getTime() + GRACE_MS)

/** The time by which a command is judged when it runs at `at`. */
export const evaluatedAt = (command: { given_at: Date }, at: Date): Date =>
  command.given_at < at ? command.given_at : at
