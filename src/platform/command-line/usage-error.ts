/** The command line is invalid or incomplete; the message says what to do. Exit code 2. */
export class UsageError extends Error {}
