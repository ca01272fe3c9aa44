import { z } from 'zod'
import { MAX_JOINED, strategies } from '../../availability/rules/rules.ts'
import { depositRules } from '../../availability/schema/deposit.ts'
import { serviceTerms, sessionFields } from '../../availability/schema/rules.ts'
import { label, notation } from '../../contract/safe-text.ts'
import { importedFields } from '../../contract/venue-fields.ts'

const MAX_SERVICES = 100
const MAX_RESOURCES = 500
const MAX_SESSIONS = 500
const MAX_MINOR = 100_000_000_000

const people = z.int().min(1).max(10_000)
const minutes = z.int().min(0).max(525_600)
const clock = z.string().regex(/^([0-3]\d|4[0-7]):[0-5]\d$|^48:00$/, 'must be HH:MM')
const kind = label(60)
const terms = notation(1_000)
/** A line for each day is common in spreadsheets. */
const openingHours = z.preprocess(
  (text) => (typeof text === 'string' ? text.trim().replace(/\s*[\r\n]\s*/g, '; ') : text),
  terms,
)

const window = z
  .strictObject({ day: z.int().min(1).max(7), open: clock, close: clock })
  .refine(({ open, close }) => open < '24:00' && open < close, 'must close after it opens')

const windows = z.array(window).min(1).max(100)
const resourceFields = {
  kind,
  name: label(100),
  party_min: people.default(1),
  /** for a person who leads; 1 by default */
  party_max: people.optional(),
  joins: label(60).nullable().default(null),
  hours: openingHours.optional(),
  windows: windows.optional(),
  days_off: z.array(z.iso.date()).max(366).default([]),
}
type Sizes = { party_min: number; party_max?: number | undefined }
const sizes = <R extends z.ZodType<Sizes>>(one: R) =>
  one.refine(
    ({ party_min, party_max = party_min }) => party_min <= party_max,
    'party_min is over party_max',
  )

/** A resource of one service; services that name the same resource share it. */
const ownResource = sizes(z.strictObject(resourceFields))
/** A resource shared by the services in `can`, by default by all. */
const resourceRecord = sizes(
  z.strictObject({
    ...resourceFields,
    can: z.array(label(100)).min(1).max(MAX_SERVICES).nullable().default(null),
  }),
)
export type ResourceRecord = z.output<typeof resourceRecord>

/** A session of a service; missing fields come from the service. */
export const sessionRecord = z
  .strictObject({
    ...sessionFields,
    minutes: sessionFields.minutes.optional(),
    places: sessionFields.places.optional(),
    name: label(100).optional(),
    with: label(100).optional(),
    cancelled: label(200).optional(),
  })
  .refine(({ day, date }) => (day === undefined) !== (date === undefined), 'give day or date')
  .refine(({ date, cancelled }) => date || !cancelled, 'cancelled: give the date')

/** A service; missing fields get the usual values. */
const serviceRecord = z.strictObject({
  name: label(100),
  strategy: z.enum(strategies),
  hours: openingHours.optional(),
  windows: windows.optional(),
  grid_minutes: z.int().min(5).max(1440).optional(),
  durations: z
    .array(z.strictObject({ party_max: people, minutes: z.int().min(1).max(1440) }))
    .min(1)
    .max(20)
    .optional(),
  buffer_minutes: z.int().min(0).max(1439).optional(),
  party_min: people.optional(),
  party_max: people.optional(),
  lead_minutes: minutes.optional(),
  horizon_days: z.int().min(1).max(730).optional(),
  cancel_cutoff_minutes: minutes.optional(),
  spend_per_guest_minor: z.int().min(0).max(MAX_MINOR).optional(),
  requires: z
    .array(
      z.strictObject({
        kind,
        per: z.enum(['party', 'guest']),
        max_joined: z.int().min(1).max(MAX_JOINED).optional(),
      }),
    )
    .max(10)
    .optional(),
  places: people.optional(),
  sessions: z.array(sessionRecord).min(1).max(MAX_SESSIONS).optional(),
  ...serviceTerms,
  price: serviceTerms.price.unwrap().safeExtend({ currency: z.string().optional() }).optional(),
  deposits: depositRules.optional(),
  resources: z.array(ownResource).max(MAX_RESOURCES).default([]),
})
export type ServiceRecord = z.output<typeof serviceRecord>

/** A venue in an import file of any format (docs/operate/importing-venues.md). */
export const venueRecord = z.strictObject({
  id: z.preprocess((id) => (typeof id === 'number' ? String(id) : id), label(200)),
  source: label(200).optional(),
  ...importedFields,
  area: label(100).optional(),
  currency: z.string().trim().toUpperCase().optional(),
  hours: openingHours.optional(),
  seats: people.optional(),
  tables: terms.optional(),
  stay_minutes: z.int().min(1).max(1440).optional(),
  spend_per_guest_minor: z.int().min(0).max(MAX_MINOR).optional(),
  services: z.array(serviceRecord).max(MAX_SERVICES).optional(),
  resources: z.array(resourceRecord).max(MAX_RESOURCES).optional(),
})
export type VenueRecord = z.output<typeof venueRecord>

/** Flat fields that describe a single service. */
export const plainRecord = venueRecord.pick({
  hours: true,
  seats: true,
  tables: true,
  stay_minutes: true,
  spend_per_guest_minor: true,
})
export type PlainFields = z.output<typeof plainRecord>

const MAX_PROBLEMS = 4

/** The problems by field, in one short line. */
export function problemsOf(error: z.ZodError): string {
  const texts = error.issues.map((issue) => {
    const field = issue.path.join('.')
    return field ? `${field}: ${issueText(issue)}` : issueText(issue)
  })
  const examples = [...new Set(texts)]
  const rest = examples.length - MAX_PROBLEMS
  return examples.slice(0, MAX_PROBLEMS).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}

function issueText(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    return `unknown: ${issue.keys.slice(0, 5).join(', ').slice(0, 200)}`
  }
  if (issue.code === 'invalid_format' && issue.format === 'date') {
    return 'must be a date as in 2027-03-08'
  }
  if (issue.message === 'Invalid input: expected number, received string') {
    return 'must be a number, in digits'
  }
  const [, bound, limit] = /^Too (big|small): .* [<>]=?(\S+)/.exec(issue.message) ?? []
  if (bound) {
    const most = `${bound === 'big' ? 'at most' : 'at least'} ${limit}`
    return issue.message.endsWith(' items') ? `must have ${most} entries` : `must be ${most}`
  }
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('undefined')
  return isMissing ? 'is missing' : issue.message.replace(/^Invalid (?:input|option): /, '')
}
