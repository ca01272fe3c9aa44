/** OWASP's first choice for argon2id: 19 MiB, two passes. */
export const cost = { memory: 19_456, passes: 2, parallelism: 1 }
