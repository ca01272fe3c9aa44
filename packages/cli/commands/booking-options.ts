/** What commands take that change a booking. */
export const deciding = {
  wait: {
    kind: 'number',
    value: 'SECONDS',
    about: 'How long to wait for the final answer, 60 unless given; 0 not at all',
  },
  'idempotency-key': {
    kind: 'text',
    value: 'KEY',
    about: 'Repeats an earlier request: the same key gives the same answer; a new one unless given',
  },
} as const

export const DEFAULT_WAIT_S = 60
