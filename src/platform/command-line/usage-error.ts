/** An invalid or incomplete command line; the message says how to fix it. Exit code 2. */
export class UsageError extends Error {}
