import { randomUUID } from 'node:crypto'
import type { DepositRule } from '../../src/availability/rules/deposit.ts'
import type { Requirement } from '../../src/availability/rules/rules.ts'
import { withSessions } from '../../src/availability/rules/sessions.ts'
import { insertAreas } from '../../src/availability/store/areas.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import type { ConfirmMode } from '../../src/base/venue-kinds.ts'
import { upsertConnector } from '../../src/confirmation/store/connectors.ts'
import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import { insertVenues, type NewService } from '../../src/venues/store/new-venues.ts'
import type { Random } from './random.ts'

const TIMEZONE = 'Asia/Makassar'
const DAYS_AHEAD = 5
const PARTY_MAX = 3
const CLOCKS = ['10:00', '10:30', '11:00']

/**
 * The stock of a venue (resources by kind, or places per slot) and how much of it a booking takes.
 */
export type ArenaKind = {
  name: string
  confirmMode: ConfirmMode
  stock: Readonly<Record<string, number>>
  requires: readonly Requirement[]
  /** pooled if above 0 */
  places: number
  deposits?: DepositRule[]
  /** services that share the stock, in the venue's order; by default, one of an hour */
  services?: readonly [ArenaService, ArenaService]
  /** how many of a kind, the first of them, can do only the first service */
  limited?: Readonly<Record<string, number>>
}

/** A service: its length and buffer in minutes, and what it needs. */
export type ArenaService = Pick<ArenaKind, 'requires'> & {
  minutes: number
  buffer: number
  /** of a class, with the positions of their slot and of who leads them */
  sessions?: readonly ArenaSession[]
}
export type ArenaSession = { slot: number; leader: number; places: number }

/** The kind of resource that leads sessions. */
export const LEADER = 'teacher'

/** The services of a kind of venue, in the venue's order. */
export const servicesOf = ({ services, requires }: ArenaKind): readonly ArenaService[] =>
  services ?? [{ minutes: 60, buffer: 0, requires }]

const tables = (name: string, table: number, confirmMode: ConfirmMode = 'auto'): ArenaKind => ({
  name,
  confirmMode,
  stock: { table },
  requires: [{ kind: 'table', per: 'party' }],
  places: 0,
})

/** Stock so small that callers constantly collide. */
export const arenaKinds: readonly [ArenaKind, ...ArenaKind[]] = [
  tables('one table', 1),
  tables('three tables', 3),
  { name: 'class', confirmMode: 'auto', stock: {}, requires: [], places: 7 },
  {
    name: 'treatment',
    confirmMode: 'auto',
    stock: { therapist: 3, room: 2 },
    requires: [
      { kind: 'therapist', per: 'guest' },
      { kind: 'room', per: 'party' },
    ],
    places: 0,
  },
  {
    name: 'treatments that share therapists',
    confirmMode: 'auto',
    stock: { therapist: 3, room: 2 },
    requires: [],
    places: 0,
    services: [
      {
        minutes: 60,
        buffer: 0,
        requires: [
          { kind: 'therapist', per: 'guest' },
          { kind: 'room', per: 'party' },
        ],
      },
      { minutes: 90, buffer: 30, requires: [{ kind: 'therapist', per: 'guest' }] },
    ],
    limited: { therapist: 1 },
  },
  {
    name: 'class with sessions and private lessons',
    confirmMode: 'auto',
    stock: { [LEADER]: 3 },
    requires: [],
    places: 0,
    services: [
      {
        minutes: 60,
        buffer: 30,
        requires: [],
        sessions: [
          { slot: 0, leader: 0, places: 5 },
          { slot: 2, leader: 1, places: 4 },
        ],
      },
      { minutes: 60, buffer: 0, requires: [{ kind: LEADER, per: 'party' }] },
    ],
  },
  tables('venue with a connector', 2, 'http'),
  tables('venue with staff', 2, 'request'),
]

/** Kinds used under contention. The last has no model: its amendments depend on other bookings. */
export const contendedKinds: readonly [ArenaKind, ...ArenaKind[]] = [
  ...arenaKinds,
  { name: 'class with a connector', confirmMode: 'http', stock: {}, requires: [], places: 12 },
]

/** The kind of this name, or all. */
export const kindsNamed = (kinds: readonly ArenaKind[], venue: string | undefined) =>
  kinds.filter(({ name }) => venue === undefined || name === venue)

/** A venue that is never full; groups combine it with a contended venue. */
export const roomyKind: ArenaKind = {
  name: 'class that is never full',
  confirmMode: 'auto',
  stock: {},
  requires: [],
  places: 10_000,
}

/** A contended venue whose slots overlap. */
export type Arena = {
  id: string
  slug: string
  name: string
  timezone: string
  kind: ArenaKind
  /** local times, 30 minutes apart; a booking takes an hour or more */
  slotTimes: readonly string[]
  /** ids of its services, in the venue's order */
  serviceIds: readonly string[]
  partyMax: number
}

/** The position of a service, or none: then the first with room is booked. */
export function serviceIn({ serviceIds: { length } }: Arena, random: Random): number | undefined {
  const which = length > 1 ? random.below(length + 1) : length
  return which < length ? which : undefined
}

/** Adds a venue of this kind, alone in its area so that it has no nearby alternatives. */
export async function addArena(db: Pool, kind: ArenaKind): Promise<Arena> {
  const id = randomUUID()
  const slug = `arena-${id}`
  const at = new Date()
  const date = new Date(at.getTime() + DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10)
  // ISO 8601: 1 is Monday
  const weekday = new Date(date).getUTCDay() || 7
  const location = { latitude: 0, longitude: 0 }
  const area = { slug, name: slug, aliases: [], city: 'Proof', country: 'ID', ...location }
  const venue = { id, slug, name: kind.name, category: 'spa', area_slug: slug } as const
  const description = { description: 'A contended venue.', tags: [], price_level: 1 }
  const services = servicesOf(kind).map((service) => newService(kind, service, weekday, date))
  const serviceIds = services.map((one) => one.id)
  const settings = {
    confirm_mode: kind.confirmMode,
    is_demo: false,
    services,
    resources: resourcesOf(kind, serviceIds),
  }
  await transaction(db, async (tx) => {
    await insertAreas(tx, [{ ...area, timezone: TIMEZONE, currency: 'IDR' }])
    await insertVenues(tx, [{ ...venue, ...description, ...location, ...settings }], at)
    if (kind.confirmMode !== 'http') return
    const unreachable = { url: 'http://127.0.0.1:9/', secret: 'never used' }
    await upsertConnector(tx, { venueId: id, ...unreachable }, at)
  })
  const slotTimes = CLOCKS.map((time) => `${date}T${time}:00`)
  const known = { slotTimes, serviceIds, partyMax: PARTY_MAX }
  return { id, slug, name: kind.name, timezone: TIMEZONE, kind, ...known }
}

/** Staff answer during opening hours, so these venues are also open on all other days. */
function windowsOf({ confirmMode }: Pick<ArenaKind, 'confirmMode'>, weekday: number) {
  const others = [1, 2, 3, 4, 5, 6, 7].filter((day) => day !== weekday)
  return [
    { day: weekday, open: '10:00', close: '14:00' },
    ...(confirmMode === 'request'
      ? others.map((day) => ({ day, open: '00:00', close: '24:00' }))
      : []),
  ]
}

function newService(
  { places, deposits, confirmMode, services, stock }: ArenaKind,
  { minutes, buffer, requires, sessions }: ArenaService,
  weekday: number,
  date: string,
): NewService {
  const rules = {
    // A treatment is never changed into another one.
    kind: services && ('treatment' as const),
    windows: windowsOf({ confirmMode }, weekday),
    grid_minutes: 30,
    durations: [{ party_max: PARTY_MAX, minutes }],
    buffer_minutes: buffer,
    party_min: 1,
    party_max: PARTY_MAX,
    lead_minutes: 0,
    horizon_days: 30,
    cancel_cutoff_minutes: 120,
    spend_per_guest_minor: 25_000_000,
    requires: [...requires],
    places,
    deposits,
    ...(LEADER in stock && { leader: LEADER }),
  }
  const scheduled = sessions?.map(({ slot, leader, ...one }) => {
    return { ...one, date, start: CLOCKS[slot] ?? '', minutes, with: nameOf(LEADER, leader) }
  })
  return {
    id: randomUUID(),
    name: `Arena ${scheduled ? 'class' : minutes}`,
    strategy: places > 0 || scheduled ? 'pooled' : 'exclusive',
    rules: scheduled ? withSessions(rules, scheduled) : rules,
  }
}

/** The name of a resource, by its position among those of its kind. */
export const nameOf = (kind: string, position: number) => `${kind} ${position + 1}`

/** The stock, shared by all services but for what is limited to the first. */
const resourcesOf = ({ stock, limited = {} }: ArenaKind, [first = '']: readonly string[]) =>
  Object.entries(stock).flatMap(([what, count]) =>
    Array.from({ length: count }, (_, n) => ({
      // in order, because bookings choose between equal resources by id
      id: `${String(n).padStart(8, '0')}${randomUUID().slice(8)}`,
      kind: what,
      name: nameOf(what, n),
      party_min: 1,
      party_max: PARTY_MAX,
      can: n < (limited[what] ?? 0) ? [first] : null,
    })),
  )
