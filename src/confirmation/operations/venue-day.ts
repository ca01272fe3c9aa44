import {
  freeTimes,
  freeWalkIn,
  seatParty as seat,
  type TableChoice,
} from '../../availability/steps/walk-ins.ts'
import { selectEarlyClose, upsertEarlyClose } from '../../availability/store/early-close.ts'
import {
  selectLargestParty,
  selectOptionalWalkIn,
  selectWalkIns,
} from '../../availability/store/walk-ins.ts'
import { refuse } from '../../base/errors.ts'
import {
  addDays,
  clockOn,
  dateOf,
  nightOf,
  toInstantPastGap,
  toLocal,
  twoDigits,
} from '../../base/local-time.ts'
import type { BookingContext } from '../../bookings/engine.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import { selectVenueBookings, selectWaitingBookings } from '../store/venue-bookings.ts'
import { selectGuestsByDay } from '../store/venue-days.ts'
import { lockPerson, type PageVenue } from '../store/venue-links.ts'

/** A venue whose page is open, and who acts there, if that is known. */
type ActingVenue = Pick<PageVenue, 'id' | 'timezone' | 'person'>
type WithDb = Pick<BookingContext, 'db'>

/** No-shows can be reported for two days. */
const DAYS_BEFORE = 2
const DAYS_AHEAD = 6
const MAX_WAITING = 30
const MAX_SHOWN = 150

const startOf = (timezone: string, date: string) =>
  toInstantPastGap(timezone, clockOn(date, '00:00'))
const spanOf = (timezone: string, from: string, days: number) => ({
  from: startOf(timezone, from),
  until: startOf(timezone, addDays(from, days)),
})

/** A venue's bookings on a local date. */
export const readBookingsOn = (
  { db }: WithDb,
  { id, timezone }: Pick<ActingVenue, 'id' | 'timezone'>,
  date: string,
) => selectVenueBookings(db, id, { ...spanOf(timezone, date, 1), limit: MAX_SHOWN })

/** The day that a venue's page shows: its bookings and walk-ins, and the guests of the week. */
export type VenueDay = Awaited<ReturnType<typeof readVenueDay>>

/** What waits for a venue's people, and one of its days; by default today, or last night's. */
export async function readVenueDay(
  { db }: WithDb,
  venue: ActingVenue,
  wanted: string | undefined,
  at: Date,
) {
  const { id, timezone } = venue
  const local = toLocal(timezone, at)
  const today = nightOf(local)
  const date = wanted ?? today
  const span = spanOf(timezone, date, 1)
  const week = spanOf(timezone, addDays(today, -DAYS_BEFORE), DAYS_BEFORE + DAYS_AHEAD + 1)
  const [waiting, bookings, walkIns, guests, closed, largest = 0] = await Promise.all([
    selectWaitingBookings(db, id, MAX_WAITING),
    readBookingsOn({ db }, venue, date),
    selectWalkIns(db, id, span),
    selectGuestsByDay(db, id, week),
    selectEarlyClose(db, { venueId: id, date }),
    selectLargestParty(db, id),
  ])
  const guestsOn = new Map(guests.map((one) => [one.date, one.guests]))
  const days = Array.from({ length: DAYS_BEFORE + DAYS_AHEAD + 1 }, (_, index) => {
    const own = addDays(today, index - DAYS_BEFORE)
    return { date: own, guests: guestsOn.get(own) ?? 0 }
  })
  const clock = clockOf(local, today)
  return { today, date, clock, waiting, bookings, walkIns, days, closed, largest }
}

/** The free times that staff can give a party on a date. */
export const readFreeTimes = (
  { db }: WithDb,
  { id: venueId }: ActingVenue,
  { date, partySize }: { date: string; partySize: number },
  at: Date,
) => freeTimes(db, { venueId, date, partySize, at })

/** The walk-in that staff have just given a place; undefined if there is none of that id. */
export const readWalkIn = ({ db }: WithDb, { id }: ActingVenue, walkInId: string) =>
  selectOptionalWalkIn(db, id, walkInId)

/** Acts for a venue. Throws `person_required` if the person was removed in the meantime. */
const act = <T>(db: Pool, { id, person }: ActingVenue, work: (tx: Db) => Promise<T>): Promise<T> =>
  transaction(db, async (tx) => {
    if (person && !(await lockPerson(tx, id, person.id))) throw refuse('person_required')
    return work(tx)
  })

type Seated = TableChoice & { formId: string; partySize: number }

/** Gives a party a place; undefined if it has just been taken. `formId` identifies the press. */
export const seatParty = (
  { db }: WithDb,
  venue: ActingVenue,
  { formId, partySize, ...choice }: Seated,
  at: Date,
) => {
  const personId = venue.person?.id ?? null
  const walkIn = { id: formId, venueId: venue.id, partySize, personId, at }
  return act(db, venue, (tx) => seat(tx, walkIn, choice))
}

/** Frees the place of a walk-in; repeating it changes nothing. */
export const freeTable = ({ db }: WithDb, venue: ActingVenue, id: string, at: Date) => {
  const walkIn = { id, venueId: venue.id, personId: venue.person?.id ?? null, at }
  return act(db, venue, (tx) => freeWalkIn(tx, walkIn))
}

export const closings = ['rest', 'evening', 'day', 'undo'] as const
type Closing = { date: string; closing: (typeof closings)[number] }

/** From when a venue is closed in the evening. */
export const EVENING = '17:00'

/**
 * Stops or resumes bookings on a date; those that exist stay. Refuses dates that are over. A press
 * that arrives after a later one changes nothing: `at` is when it was made.
 */
export async function closeEarly(
  { db }: WithDb,
  venue: ActingVenue,
  { date, closing }: Closing,
  at: Date,
): Promise<void> {
  const local = toLocal(venue.timezone, at)
  const today = nightOf(local)
  if (date < today) throw refuse('slot_in_past')
  const now = date === today ? clockOf(local, date) : '00:00'
  const evening = now > EVENING ? now : EVENING
  const from = { rest: now, evening, day: '00:00', undo: null }[closing]
  const press = { venueId: venue.id, personId: venue.person?.id ?? null, at }
  await act(db, venue, (tx) => upsertEarlyClose(tx, { ...press, date, from }))
}

/** A local time as a clock of a date: after midnight, `25:30` of the day before. */
function clockOf(local: string, date: string): string {
  const hours = Number(local.slice(11, 13)) + (dateOf(local) > date ? 24 : 0)
  return `${twoDigits(hours)}${local.slice(13, 16)}`
}
