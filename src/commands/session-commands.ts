import type { ClassSession } from '../availability/rules/rules.ts'
import { classesOn, withSessions } from '../availability/rules/sessions.ts'
import * as stored from '../availability/schema/rules.ts'
import { closeCounter } from '../availability/store/inventory.ts'
import { lockVenue } from '../availability/store/venues.ts'
import { counted } from '../base/counted.ts'
import { MINUTE_MS } from '../base/durations.ts'
import { clockOn, toInstant } from '../base/local-time.ts'
import {
  type Occupying,
  selectBookingsIn,
  selectBookingsMovingInto,
} from '../bookings/store/bookings-ahead.ts'
import { selectOpenCommands } from '../bookings/store/commands.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import type { Db } from '../platform/database/sql.ts'
import { contentOf, noChanges, planServices } from '../venues/import/changes.ts'
import { problemsOf, sessionRecord } from '../venues/import/record.ts'
import { lastDateOver, leaderOf, ledTwice } from '../venues/import/sessions.ts'
import { changeServices, updateVenues } from '../venues/store/changed-venues.ts'
import { beginImport, insertImportSeats, updateSlotCounters } from '../venues/store/import-run.ts'
import {
  NETWORK,
  type ResourceContent,
  type ServiceContent,
  selectVenuesByKey,
} from '../venues/store/venue-content.ts'
import { cancelBookings, reasonFrom } from './cancel-bookings.ts'
import { defineOperatorCommand } from './operator-program.ts'

const args = {
  slug: { about: 'Slug of the venue' },
  service: { about: 'Name of the service, a class' },
} as const
const when = {
  date: { kind: 'text', value: 'D', about: 'Local date, as in 2027-03-08', required: true },
  start: { kind: 'text', value: 'HH:MM', about: 'Local time', required: true },
} as const

export const addSession = defineOperatorCommand({
  words: 'session add',
  summary: 'Schedule a session of a class on a date, or change one there.',
  details:
    'Omitted options come from the weekly session that begins then, if there is one: with ' +
    '--with alone, somebody else leads it. Bookings stay. Refused if that person is off, cannot ' +
    'lead the class, leads another session, or has a booking that is not being cancelled.',
  args,
  options: {
    ...when,
    minutes: { kind: 'number', value: 'N', about: 'Its length' },
    places: { kind: 'number', value: 'N', about: 'How many guests' },
    name: { kind: 'text', value: 'TEXT', about: 'Its name; by default that of the service' },
    with: { kind: 'text', value: 'NAME', about: 'Who leads it' },
  },
  examples: ['session add lotus-yoga-ubud Yoga --date 2027-03-08 --start 18:00 --with Putri'],
  run: ({ args, options: { date, start, ...fields }, inTransaction, at }) =>
    inTransaction(async (tx) => {
      const change = await changeSession(tx, { ...args, date, start }, at, fields)
      const { session, own, ofLeader, ofSlot } = change
      const booked = await selectBookingsIn(tx, ofLeader)
      const kept = await notCancelling(tx, booked)
      if (kept.length > 0) {
        const way = 'Choose another time, or somebody else with --with.'
        const what = `${session.with} is booked then; nothing has changed. ${way}`
        throw new Error(listed(what, kept))
      }
      const staying = await notCancelling(tx, await selectBookingsIn(tx, ofSlot))
      const nobody = own.rules.leader ? '\nNobody leads it: --with says who.' : ''
      return (
        `${session.name ?? own.name} is scheduled for ${date} at ${start}, ` +
        `${counted(session.places, 'place')}` +
        (session.with ? `, with ${session.with}.` : `.${nobody}`) +
        listed('\nIt takes guests once this is cancelled:', booked) +
        listed('\nBookings stay: tell these guests.', staying)
      )
    }),
})

export const cancelSession = defineOperatorCommand({
  words: 'session cancel',
  summary: 'Cancel a session of a class on a date.',
  details:
    'Refused while it has bookings, which are listed, unless --cancel-bookings cancels them ' +
    'without a fee: guests and agents are told, and agents get alternatives.',
  args,
  options: {
    ...when,
    reason: { kind: 'text', value: 'TEXT', about: 'What agents tell their guests', required: true },
    'cancel-bookings': { kind: 'flag', about: 'Cancel its bookings too' },
  },
  examples: [
    'session cancel lotus-yoga-ubud Yoga --date 2027-03-08 --start 07:00 --reason "Illness"',
  ],
  run: ({ args, options, inTransaction, at }) =>
    inTransaction(async (tx) => {
      const { date, start, 'cancel-bookings': cancels = false } = options
      const reason = reasonFrom(options.reason, '--reason')
      const target = { ...args, date, start }
      const { own, ofSlot } = await changeSession(tx, target, at, { cancelled: reason })
      await closeCounter(tx, ofSlot.serviceId, ofSlot.from)
      const booked = await selectBookingsIn(tx, ofSlot)
      const what = `${own.name} on ${date} at ${start}`
      if (booked.length > 0 && !cancels) {
        const way = 'nothing has changed. --cancel-bookings cancels them:'
        throw new Error(listed(`${what} has bookings; ${way}`, booked))
      }
      const id = `session ${ofSlot.serviceId} ${date} ${start}`
      const moving = await selectBookingsMovingInto(tx, ofSlot)
      const cancelling = await cancelBookings(tx, booked, { id, reason }, at)
      return `${what} is cancelled.${cancelling}${listed(MOVING, moving)}`
    }),
})

const MOVING =
  '\nTheir venue is being asked to move these into it; they stay as they are, whatever it answers:'

/** The text with these bookings; without any, nothing. */
const listed = (text: string, bookings: readonly Occupying[]) =>
  bookings.length === 0
    ? ''
    : text +
      bookings
        .map(({ id, party_size, status }) => `\n${id}  ${status}, party of ${party_size}`)
        .join('')

/** Bookings, except those that the service is about to cancel. */
async function notCancelling(tx: Db, bookings: readonly Occupying[]) {
  const open = await Promise.all(bookings.map(({ id }) => selectOpenCommands(tx, id)))
  return bookings.filter((_, index) => !open[index]?.some(({ kind }) => kind === 'cancel'))
}

type Fields = { [K in keyof ClassSession]?: ClassSession[K] | undefined }
type Target = { slug: string; service: string; date: string; start: string }

/** Locks a venue against bookings and imports, and reads its class. */
async function lockClass(tx: Db, slug: string, named: string) {
  if (!(await beginImport(tx))) throw new Error('An import is running: try again after it.')
  const locked = await lockVenue(tx, slug)
  const key = { source: NETWORK, external_id: locked?.id ?? '' }
  const [match] = await selectVenuesByKey(tx, [key])
  if (!match || locked?.is_removed) throw new UsageError(`There is no venue ${slug}.`)
  const { venue } = match
  const content = contentOf(venue)
  const classes = content.services.filter(({ rules }) => rules.sessions)
  const alike = classes.filter(({ name }) => name.toLowerCase() === named.toLowerCase())
  const own = classes.find(({ name }) => name === named) ?? alike[0]
  if (own?.name !== named && alike.length > 1) {
    const names = alike.map(({ name }) => name).join(', ')
    throw new UsageError(`${named} could be one of ${names}. Write it as it is written there.`)
  }
  const isOwn = ({ name, strategy }: ServiceContent) =>
    name === own?.name && strategy === own.strategy
  const { id } = venue.services.find(isOwn) ?? {}
  if (!own?.rules.sessions || !id) {
    const names = classes.map(({ name }) => name).join(', ') || 'none'
    throw new UsageError(`${named} has no sessions. Services with sessions: ${names}.`)
  }
  return { venue, content, own, id, sessions: own.rules.sessions }
}

/** Replaces a session on a date, or adds one. */
async function changeSession(
  tx: Db,
  { slug, service, date, start }: Target,
  at: Date,
  fields: Fields,
) {
  const { venue, content, own, id, sessions } = await lockClass(tx, slug, service)
  const session = sessionFrom(sessions, { date, start }, fields)
  const from = toInstant(venue.timezone, clockOn(date, start))
  if (!from || from <= at) throw new UsageError(`${date} ${start} is over, or does not exist.`)
  const others = sessions.filter(
    (one) =>
      !(one.date === date && one.start === start) && !(one.date && one.date <= lastDateOver(at)),
  )
  const rules = withSessions(own.rules, [...others, session])
  const checked = stored.rules.safeParse(rules)
  if (checked.error) throw new UsageError(problemsOf(checked.error))
  const services = content.services.map((one) => (one === own ? { ...one, rules } : one))
  const clash = ledTwice({ ...content, services }, { timezone: venue.timezone, at })
  if (clash) throw new Error(`${clash}. Choose another time, or somebody else with --with.`)
  if (session.with && !session.cancelled)
    requireLeader(content.resources, own, { ...session, date })
  const leader = venue.resources.find(
    (one) => one.kind === rules.leader && one.name === session.with && !one.is_retired,
  )
  const changes = noChanges()
  planServices(venue, { ...content, services }, changes)
  await updateVenues(tx, [{ ...content, services, id: venue.id }])
  await changeServices(tx, changes, at)
  await insertImportSeats(tx, changes.rules)
  await updateSlotCounters(tx, at)
  const until = new Date(from.getTime() + (session.minutes + rules.buffer_minutes) * MINUTE_MS)
  const ofLeader = { resourceId: leader?.id ?? null, from, until }
  return { session, own, ofLeader, ofSlot: { serviceId: id, from, until } }
}

/** Requires a leader who can lead sessions of this class and works on that day. */
function requireLeader(
  resources: readonly ResourceContent[],
  own: ServiceContent,
  { date, with: named }: { date: string; with?: string | undefined },
) {
  const kind = own.rules.leader ?? 'leader'
  const all = resources.filter((one) => one.kind === kind && leaderOf(own, [one], one.name))
  const leader = all.find(({ name }) => name === named)
  const others = all.filter(({ name, days_off }) => name !== named && !days_off.includes(date))
  const names = others.map(({ name }) => name).join(', ') || 'nobody'
  if (!leader) {
    throw new UsageError(`No ${kind} called ${named} leads ${own.name} here. Who can: ${names}.`)
  }
  if (leader.days_off.includes(date)) {
    throw new UsageError(`${named} is off on ${date}. Who can lead ${own.name} then: ${names}.`)
  }
}

function sessionFrom(
  sessions: ClassSession[],
  { date, start }: Pick<Target, 'date' | 'start'>,
  fields: Fields,
): ClassSession {
  const given = Object.fromEntries(Object.entries(fields).filter(([, one]) => one !== undefined))
  const here = classesOn({ rules: { sessions }, exceptions: [] }, date)
  const match = here.find((one) => one.start === start)
  const { day: _, cancelled, ...usual } = match ?? { cancelled: '' }
  if (fields.cancelled !== undefined && cancelled !== undefined) {
    throw new UsageError(`No session begins on ${date} at ${start}.`)
  }
  const [{ minutes, places } = {}] = sessions
  const session = sessionRecord.safeParse({ minutes, places, ...usual, ...given, date, start })
  if (session.success) return session.data as ClassSession
  throw new UsageError(problemsOf(session.error))
}
