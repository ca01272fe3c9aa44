import { randomUUIDv7 } from 'node:crypto'
import { test as base } from 'vitest'
import type { ClassSession } from '../../src/availability/rules/rules.ts'
import { evaluateServices } from '../../src/availability/steps/evaluate-services.ts'
import { selectDays } from '../../src/availability/store/day-availability.ts'
import { partyServicesOf } from '../../src/availability/store/party-services.ts'
import { selectServicesAt } from '../../src/availability/store/venue-services.ts'
import { weekdayOf } from '../../src/base/local-time.ts'
import { newcomerLimits } from '../../src/bookings/rules/limits.ts'
import { takeSlot } from '../../src/bookings/steps/take-slot.ts'
import { venueProgram } from '../../src/commands/venue-program.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { load } from '../venues/import-load.ts'
import { createDatabase, openTestPool } from './database.ts'
import { holdSlot } from './hold.ts'
import { runTyped } from './operator.ts'
import { writeRequest } from './requests.ts'

/** A Wednesday, and the time of the tests some days before it. */
export const day = '2027-03-10'
export const at = new Date('2027-03-01T00:00:00Z')

export const slotAt = (clock: string) => `${day}T${clock}:00`
export const weekly = (start: string, others: Partial<ClassSession> = {}) => ({
  day: weekdayOf(day),
  start,
  ...others,
})
export const usualYoga = [
  weekly('07:00', { name: 'Vinyasa', with: 'Putri', minutes: 75 }),
  weekly('09:00', { with: 'Made', places: 2 }),
]
const teacher = (name: string) => ({ kind: 'teacher', name, party_max: 2 })

/** Yoga and Pilates by sessions, and private lessons with either of two teachers. */
export const studioRecord = (
  id: string,
  yoga: object[],
  pilates: object[] = [weekly('18:00')],
) => ({
  id,
  name: `Studio ${id}`,
  category: 'gym',
  latitude: -8.5069,
  longitude: 115.2625,
  services: [
    { name: 'Yoga', strategy: 'pooled', leader: 'teacher', places: 14, sessions: yoga },
    { name: 'Pilates', strategy: 'pooled', leader: 'teacher', places: 6, sessions: pilates },
    { name: 'Private lesson', strategy: 'exclusive', hours: '06:00-21:00', leader: 'teacher' },
  ],
  resources: [teacher('Putri'), teacher('Made')],
})

const importStudios = (db: Pool, ...venues: object[]) =>
  load(db, JSON.stringify({ venues }), 'json', { source: 'studios', at })

/** Tests of a file, with a database for its studios. */
export const test = base.extend('studios', { scope: 'file' }, async ({}, { onCleanup }) => {
  const database = await createDatabase()
  const db = openTestPool(database.url, 20)
  onCleanup(async () => {
    await db.end()
    await database.drop()
  })
  return {
    db,
    open: (id: string, yoga?: object[]) => openStudio(db, id, yoga),
    load: (...venues: object[]) => importStudios(db, ...venues),
  }
})

/** Adds a studio, and returns what can be done there. */
async function openStudio(db: Pool, id: string, yoga: object[] = usualYoga) {
  const { lines } = await importStudios(db, studioRecord(id, yoga))
  if (lines.length > 0) throw new Error(lines.join())
  const { rows } = await db.query(
    `select v.id, v.slug, v.name, 'Asia/Makassar' as timezone from venue v
     join venue_source s on s.venue_id = v.id where s.external_id = $1`,
    [id],
  )
  const venue = rows[0] as { id: string; slug: string; name: string; timezone: string }
  const services = () => selectServicesAt(db, venue.id, slotAt('12:00'))

  async function wishFor(service: string, leader?: string) {
    const { rows } = await db.query('select id from resource where venue_id = $1 and name = $2', [
      venue.id,
      leader,
    ])
    const serviceId = (await services()).find(({ name }) => name === service)?.id ?? ''
    return { serviceId, ...(leader && { leaderId: rows[0].id as string }) }
  }
  const run = (...typed: string[]) => runTyped(venueProgram, typed, { db, at })

  return {
    venue,
    services,
    wishFor,
    run,

    /** Runs `session add` or `session cancel` for the yoga of the day. */
    session: (verb: string, start: string, ...rest: string[]) =>
      run('session', verb, venue.slug, 'yoga', '--date', day, '--start', start, ...rest),

    hold: async (service: string, clock: string, leader?: string) =>
      holdSlot(db, {
        venue,
        slotTime: slotAt(clock),
        partySize: 1,
        at,
        wish: await wishFor(service, leader),
      }),

    /** The free times of the day. */
    async shown(service: string, leader?: string) {
      const offered = partyServicesOf(await services(), 1, await wishFor(service, leader))
      const [only] = await selectDays(db, offered, { dates: [day], at, feePct: 2.5 })
      return (only?.slots ?? []).filter(({ status }) => /^(available|limited)$/.test(status))
    },

    /** A booking that has read the rules, and takes its slot when the result is called. */
    async prepare(service: string, clock: string, leader?: string) {
      const [bookingId, accountId] = [randomUUIDv7(), randomUUIDv7()]
      await db.query(
        `insert into account (id, name, tier, created_at) values ($1, 'test', 'pro', now())`,
        [accountId],
      )
      const slotTime = slotAt(clock)
      const asked = { bookingId, accountId, venueId: venue.id, slotTime, partySize: 1 }
      await writeRequest(db, asked, at)
      const named = { venueSlug: venue.slug, venueName: venue.name, timezone: venue.timezone }
      const wish = await wishFor(service, leader)
      const start = { ...asked, ...named, startsAt: at.toISOString(), ...wish }
      const [choice] = (await evaluateServices(db, start, at)).choices
      if (!choice) throw new Error(`${service} cannot be booked at ${clock}`)
      const take = () => takeSlot(db, start, choice, { limits: newcomerLimits, at })
      return Object.assign(take, { accountId })
    },
  }
}

export const isHeld = (one: object) => 'status' in one
