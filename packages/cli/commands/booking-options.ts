/** Options of commands that change a booking. */
export const deciding = {
  wait: {
    kind: 'number',
    value: 'SECONDS',
    about: 'How long to wait for the final answer, 60 by default; 0 returns at once',
  },
  'idempotency-key': {
    kind: 'text',
    value: 'KEY',
    about: 'The same key gives the same answer; a new one by default',
  },
} as const

export const DEFAULT_WAIT_S = 60
