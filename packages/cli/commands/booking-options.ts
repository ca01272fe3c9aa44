import { UsageError } from '../../../src/platform/command-line/usage-error.ts'

/** For a booking that is similar to another one of the account. */
export const alsoOption = {
  also: { kind: 'flag', about: 'Book although you already have a similar booking' },
} as const

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

/** The arguments and options that name a slot. */
export const slotArguments = {
  venue: { about: 'Slug or id of the venue, from search' },
  time: { about: 'Local time at the venue, as in 2026-12-24T19:00', many: true },
} as const
export const slotOptions = {
  party: { kind: 'number', value: 'N', about: 'Number of guests (required)' },
  ...wishing,
} as const

type SlotOptions = {
  party?: number | undefined
  service?: string | undefined
  minutes?: number | undefined
  with?: string | undefined
}

/** The request's fields for a slot; `command` is named if the party is missing. */
export function slotOf(
  command: string,
  { venue, time }: { venue: string; time: string },
  { party, service, minutes, with: leader }: SlotOptions,
) {
  if (party === undefined) throw new UsageError(`${command} needs --party, the number of guests.`)
  const slot_time = time.replace(' ', 'T')
  return { venue_id: venue, slot_time, party_size: party, service, minutes, with: leader }
}

/** Options that say who comes. */
export const guestOptions = {
  name: { kind: 'text', value: 'NAME', about: 'Guest’s name; shared with the venue only' },
  phone: { kind: 'text', value: 'PHONE', about: 'Guest’s phone, with --name' },
  email: { kind: 'text', value: 'EMAIL', about: 'Guest’s email address, with --name' },
  notes: { kind: 'text', value: 'TEXT', about: 'For the venue: allergies, occasion, …' },
} as const

type GuestOptions = { [Name in keyof typeof guestOptions]?: string | undefined }

/** The request's fields for the guest. */
export function guestOf({ name, phone, email, notes }: GuestOptions) {
  if (name === undefined && (phone !== undefined || email !== undefined)) {
    throw new UsageError('--phone and --email need --name.')
  }
  return { ...(name !== undefined && { guest: { name, phone, email } }), notes }
}

export const refOption = {
  ref: { kind: 'text', value: 'TEXT', about: 'Your own reference for the guest' },
} as const

export const DEFAULT_WAIT_S = 60
