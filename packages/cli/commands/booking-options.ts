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

/** Options that choose what is booked, where a venue has several services. */
export const wishing = {
  service: { kind: 'text', value: 'NAME', about: 'Service of the venue, or part of its name' },
  minutes: { kind: 'number', value: 'N', about: 'Its length, where there is a choice' },
  with: { kind: 'text', value: 'NAME', about: 'Who is wished for: a therapist, a teacher' },
} as const

export const DEFAULT_WAIT_S = 60
