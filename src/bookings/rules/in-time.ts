/**
 * An answer before a deadline counts, however late a worker gets to it, until the deadline takes
 * effect. Its row may be written some time after it was given: a caller waits up to 5 s for a
 * connection. So deadlines take effect this much later.
 */
export const GRACE_MS = 5_000

/** When the expiry of a wait until `deadline` takes effect. */
export const actsAt = (deadline: Date): Date => new Date(deadline.getTime() + GRACE_MS)

/** The time against which to check the deadline of a command that runs at `at`. */
export const evaluatedAt = (command: { given_at: Date }, at: Date): Date =>
  command.given_at < at ? command.given_at : at
