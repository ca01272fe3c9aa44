/**
 * An answer given before a deadline counts, however late a worker gets to it. Its row may be
 * written up to 5 s after it was given, because callers wait that long for a connection, so
 * deadlines take effect this much later.
 */
export const GRACE_MS = 5_000

/** When a deadline takes effect. */
export const actsAt = (deadline: Date): Date => new Date(deadline.getTime() + GRACE_MS)

/** The time against which to check the deadline of a command that runs at `at`. */
export const evaluatedAt = (command: { given_at: Date }, at: Date): Date =>
  command.given_at < at ? command.given_at : at
