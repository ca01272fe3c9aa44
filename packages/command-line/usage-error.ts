/** What was typed cannot be meant, or lacks something; the message says what to do. Exit code 2. */
export class UsageError extends Error {}
