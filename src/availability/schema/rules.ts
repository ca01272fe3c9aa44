import { z } from 'zod'
import { priceUnits, serviceKinds, taxTerms } from '../../base/venue-kinds.ts'
import { text } from '../../contract/fields.ts'
import { type DayException, MAX_JOINED, type Rules } from '../rules/rules.ts'
import { depositRules } from './deposit.ts'

const clock = z.string().regex(/^([0-3]\d|4[0-7]):[0-5]\d$|^48:00$/, 'expected HH:MM')
const DAY_MINUTES = 24 * 60
const count = z.int().min(0)
const window = z
  .object({ open: clock, close: clock })
  .refine(
    ({ open, close }) => open < close,
    'must close after it opens; 2 a.m. of the next day is 26:00',
  )

/** Hours by ISO weekday. */
export const weeklyWindows = z.array(z.object({ day: z.int().min(1).max(7), ...window.shape }))

const people = z.int().min(1).max(10_000)

/** The fields of a session; imports may leave some of them out. */
export const sessionFields = {
  day: z.int().min(1).max(7).optional(),
  date: z.iso.date().optional(),
  start: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM'),
  minutes: z.int().min(5).max(DAY_MINUTES),
  places: people,
  name: text(100).optional(),
  with: text(100).optional(),
  cancelled: text(200).optional(),
}

const session = z.object(sessionFields)

/** The times at which a resource leads sessions. */
export const leads = z.array(
  session
    .pick({ day: true, date: true, start: true, minutes: true })
    .extend({ except: z.array(z.string()).optional() }),
)

/** Times the largest party, this is still a whole number that JavaScript can represent. */
const MAX_MINOR = 100_000_000_000
const amount = z.int().min(0).max(MAX_MINOR)

/** The fields of a service that guests read, as stored and as imported. */
export const serviceTerms = {
  kind: z.enum(serviceKinds).optional(),
  description: text(500).optional(),
  price: z
    .strictObject({
      amount_minor: amount,
      up_to_minor: amount.optional(),
      per: z.enum(priceUnits),
      taxes: z.enum(taxTerms).optional(),
    })
    .refine(({ amount_minor, up_to_minor = amount_minor }) => amount_minor <= up_to_minor, {
      message: 'up_to_minor is below amount_minor',
    })
    .optional(),
  lengths: z
    .array(
      z.strictObject({ minutes: z.int().min(5).max(DAY_MINUTES), amount_minor: amount.optional() }),
    )
    .min(1)
    .max(10)
    .optional(),
  leader: z.string().max(60).optional(),
}

export const rules: z.ZodType<Rules> = z
  .object({
    windows: weeklyWindows,
    grid_minutes: z.int().min(5),
    durations: z.array(z.object({ party_max: z.int().min(1), minutes: z.int().min(1) })).min(1),
    buffer_minutes: count,
    party_min: z.int().min(1),
    party_max: z.int().min(1),
    lead_minutes: count,
    horizon_days: z.int().min(1),
    cancel_cutoff_minutes: count,
    spend_per_guest_minor: count,
    requires: z.array(
      z.object({
        kind: z.string(),
        per: z.enum(['party', 'guest']),
        max_joined: z.int().min(1).max(MAX_JOINED).optional(),
      }),
    ),
    places: count,
    sessions: z.array(session).optional(),
    ...serviceTerms,
    deposits: depositRules.optional(),
  })
  .refine(
    ({ durations, lengths = [], buffer_minutes }) =>
      [...durations, ...lengths].every(({ minutes }) => minutes + buffer_minutes <= DAY_MINUTES),
    'a stay and its buffer must fit into a day',
  )

/** Empty if the day is closed. */
export const exceptionWindows = z.array(window)

export const dayException: z.ZodType<DayException> = z.object({
  date: z.iso.date(),
  windows: exceptionWindows,
  reason: z.string(),
  until: z.string().optional(),
})
