import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectDays } from '../../src/availability/store/day-availability.ts'
import { partyServicesOf } from '../../src/availability/store/party-services.ts'
import { selectServicesOf } from '../../src/availability/store/venue-services.ts'
import { venueProgram } from '../../src/commands/venue-program.ts'
import type { DayAvailability } from '../../src/contract/public.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase } from '../support/database.ts'
import { holdSlot } from '../support/hold.ts'
import { runTyped } from '../support/operator.ts'
import { addVenue, type TestVenue } from '../support/test-venues.ts'

let db: Pool
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 3, () => {})
  drop = database.drop
})
afterAll(async () => {
  await db.end()
  await drop()
})

/** Saturday, 18:00 in Bali; the 27th is a Friday. */
const at = new Date('2026-11-21T10:00:00Z')
const friday = '2026-11-27'
const saturday = '2026-11-28'

async function daysOf(venue: TestVenue, dates: readonly string[], partySize = 2) {
  const services = await selectServicesOf(db, venue.id, {
    from: '2026-11-20',
    to: '2026-12-31',
  })
  return selectDays(db, partyServicesOf(services, partySize), { dates, at, feePct: 2.5 })
}

async function dayOf(venue: TestVenue, date: string, partySize = 2): Promise<DayAvailability> {
  const [day] = await daysOf(venue, [date], partySize)
  if (!day) throw new Error('no day')
  return day
}

const timesOf = ({ slots }: DayAvailability, ...statuses: string[]) =>
  slots
    .filter(({ status }) => statuses.includes(status))
    .map(({ slot_time }) => slot_time.slice(11, 16))

const hold = (venue: TestVenue, slotTime: string, partySize = 2) =>
  holdSlot(db, { venue, slotTime, partySize, at })

const venues = (line: string, ...typed: string[]) =>
  runTyped(venueProgram, [...line.split(' '), ...typed], { db, at })

const closing = (venue: TestVenue, line: string) =>
  venues(`close ${venue.slug} ${line}`, '--reason', 'A wedding')

const late = {
  windows: [{ day: 5, open: '18:00', close: '26:00' }],
  durations: [{ party_max: 8, minutes: 60 }],
}

test('a taken time is shown as unavailable, with the parties that still fit', async () => {
  const tables = [{ party_max: 2 }, { party_max: 6 }]
  const venue = await addVenue(db, [{ resources: tables }])
  await hold(venue, `${friday}T19:00:00`, 5)
  const slot = (await dayOf(venue, friday, 4)).slots.find(
    ({ slot_time }) => slot_time === `${friday}T19:00:00`,
  )
  expect(slot).toMatchObject({ status: 'unavailable', places_left: 0, party_min: 1, party_max: 2 })
  expect(timesOf(await dayOf(venue, friday, 4), 'unavailable')).toEqual([
    '17:30',
    '18:00',
    '18:30',
    '19:00',
    '19:30',
    '20:00',
    '20:30',
  ])
})

test('times after midnight are listed on their calendar date', async () => {
  const venue = await addVenue(db, [{ rules: late }])
  const [first, second, third] = await daysOf(venue, [friday, saturday, '2026-11-29'])
  expect(first?.slots.at(-1)?.slot_time).toBe(`${friday}T23:30:00`)
  expect(second && timesOf(second, 'available')).toEqual(['00:00', '00:30', '01:00'])
  expect(third).toMatchObject({
    status: 'closed',
    reason: 'There are no opening hours on this day.',
  })
})

test('a closed day has a reason, shows cancelled slots, and accepts no booking', async () => {
  const venue = await addVenue(db, [{ rules: late }])
  await hold(venue, `${friday}T20:00:00`)
  expect(await closing(venue, `--date ${friday}`)).toContain('stay (1 booking)')
  const [first, second] = await daysOf(venue, [friday, saturday])
  for (const day of [first, second]) {
    expect(day).toMatchObject({ status: 'closed', reason: 'A wedding' })
    expect(new Set(day?.slots.map(({ status }) => status))).toEqual(new Set(['closed']))
  }
  for (const slotTime of [`${friday}T21:00:00`, `${saturday}T00:30:00`]) {
    expect(await hold(venue, slotTime)).toMatchObject({ refusal: { code: 'venue_closed' } })
  }
  await venues(`open ${venue.slug} --date ${friday}`)
  expect(await dayOf(venue, saturday)).toMatchObject({ status: 'available', reason: null })
})

test('a blackout across midnight ends one session early and delays the next', async () => {
  const everyNight = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, open: '18:00', close: '26:00' }))
  const venue = await addVenue(db, [{ rules: { ...late, windows: everyNight } }])
  await closing(venue, `--date ${friday} --hours 18:00-22:00`)
  await closing(venue, `--date ${saturday} --hours 20:00-02:00`)
  const [first, second] = await daysOf(venue, [friday, saturday])
  expect(first && timesOf(first, 'available')).toContain('21:00')
  expect(first && timesOf(first, 'closed')).toEqual(['21:30', '22:00', '22:30', '23:00', '23:30'])
  expect(second && timesOf(second, 'closed')).toEqual([
    '00:00',
    '00:30',
    '01:00',
    '18:00',
    '18:30',
    '19:00',
    '19:30',
  ])
  expect(await hold(venue, `${friday}T23:00:00`)).toMatchObject({
    refusal: { code: 'venue_closed' },
  })
  expect(await hold(venue, `${saturday}T20:00:00`)).toMatchObject({ status: 'held' })
})

test('an exception of a venue overrides one of its area, and that one of its country', async () => {
  const venue = await addVenue(db)
  const enter = (line: string) => venues(`close ${line} --date 2026-12-02`)
  await enter('--country ID --reason country')
  expect(await dayOf(venue, '2026-12-02')).toMatchObject({ status: 'closed', reason: 'country' })
  await enter('--area gili-meno --hours 12:00-15:00 --reason area')
  expect(await dayOf(venue, '2026-12-02')).toMatchObject({ status: 'available', reason: 'area' })
  await enter(`${venue.slug} --hours 18:00-20:00 --reason venue`)
  const day = await dayOf(venue, '2026-12-02')
  expect([day.reason, timesOf(day, 'available')]).toEqual(['venue', ['18:00', '18:30']])
  await enter(`${venue.slug} --reason again`)
  expect((await dayOf(venue, '2026-12-02')).reason).toBe('again')
})

test('days too near or too far ahead say so', async () => {
  const venue = await addVenue(db, [{ rules: { lead_minutes: 600, horizon_days: 5 } }])
  const [today, far] = await daysOf(venue, ['2026-11-21', friday])
  const atOnce = await addVenue(db, [
    { rules: { lead_minutes: 0, windows: [{ day: 6, open: '08:00', close: '12:00' }] } },
  ])
  expect((await dayOf(atOnce, '2026-11-21')).reason).toBe('No time is left on this day.')
  expect(today).toMatchObject({ status: 'unavailable', slots: [] })
  expect(today?.reason).toContain('600 minutes ahead')
  expect(far).toMatchObject({
    status: 'unavailable',
    reason: 'Bookings open 5 days ahead.',
    slots: [],
  })
})

test('a class reduced below its bookings keeps its guests and accepts no more', async () => {
  const rules = { places: 6 }
  const venue = await addVenue(db, [{ strategy: 'pooled', rules }])
  await hold(venue, `${friday}T19:00:00`, 5)
  await db.query(
    `with version as (
       insert into service_rules
       select o.id, 2, r.rules || '{"places": 3}', now()
       from service o join service_rules r on r.service_id = o.id where o.venue_id = $1
       returning service_id)
     update service set rule_version = 2 from version where id = service_id`,
    [venue.id],
  )
  const slot = (await dayOf(venue, friday, 1)).slots.find(({ slot_time }) =>
    slot_time.includes('T19:00'),
  )
  expect(slot).toMatchObject({ status: 'unavailable', places_left: 0 })
  expect(await hold(venue, `${friday}T19:00:00`, 1)).toMatchObject({
    refusal: { code: 'slot_unavailable' },
  })
  expect(await hold(venue, `${friday}T20:30:00`, 3)).toMatchObject({ status: 'held' })
  const { rows } = await db.query(
    `select rule_version, status from booking where venue_id = $1 order by starts_at`,
    [venue.id],
  )
  expect(rows).toEqual([
    { rule_version: 1, status: 'held' },
    { rule_version: 2, status: 'held' },
  ])
})

test('a retired table keeps its booking and is not sold again', async () => {
  const venue = await addVenue(db, [{ resources: [{}] }])
  await hold(venue, `${friday}T19:00:00`)
  await db.query('update resource set retired_at = now() where venue_id = $1', [venue.id])
  expect(await daysOf(venue, [friday])).toMatchObject([
    { status: 'closed', slots: [], reason: 'Nothing can be booked here at the moment.' },
  ])
  expect(await hold(venue, `${friday}T12:00:00`)).toMatchObject({
    refusal: { code: 'venue_closed' },
  })
  const { rows } = await db.query('select status from booking where venue_id = $1', [venue.id])
  expect(rows).toEqual([{ status: 'held' }])
})

test('a party that needs joined tables gets just those, leaving smaller ones', async () => {
  const window = { party_max: 4, joins: 'window' }
  const rules = { requires: [{ kind: 'table', per: 'party' as const, max_joined: 2 }] }
  const resources = [{ party_max: 2 }, window, window, { party_max: 4, joins: 'garden' }]
  const venue = await addVenue(db, [{ rules, resources }])
  const evening = async (partySize: number) =>
    (await dayOf(venue, friday, partySize)).slots.find(({ slot_time }) =>
      slot_time.includes('T19:00'),
    )
  expect(await evening(8)).toMatchObject({ status: 'limited', places_left: 1, party_max: 8 })
  expect(await hold(venue, `${friday}T19:00:00`, 7)).toMatchObject({ status: 'held' })
  const { rows } = await db.query(
    `select r.name from allocation a join resource r on r.id = a.resource_id
     join booking b on b.id = a.booking_id where b.venue_id = $1 order by r.name`,
    [venue.id],
  )
  expect(rows.map(({ name }) => name)).toEqual(['Table 2', 'Table 3'])
  expect(await evening(8)).toMatchObject({ status: 'unavailable', places_left: 0, party_max: 4 })
  expect(await hold(venue, `${friday}T19:00:00`, 5)).toMatchObject({
    refusal: { code: 'slot_unavailable' },
  })
  expect(await evening(2)).toMatchObject({ status: 'limited', places_left: 2 })
})

test('request-only slots are shown where staff decide, and occupy nothing', async () => {
  const onRequest = { strategy: 'on_request' as const }
  const asked = await addVenue(db, [onRequest], { confirmMode: 'request' })
  const day = await dayOf(asked, friday)
  expect(day.slots[0]).toMatchObject({
    status: 'available',
    places_left: null,
    party_max: 8,
    confirm_mode: 'request',
  })
  for (let guest = 0; guest < 3; guest += 1) {
    expect(await hold(asked, `${friday}T19:00:00`)).toMatchObject({ status: 'held' })
  }
  expect(await dayOf(asked, friday)).toEqual(day)
  const { rows } = await db.query(
    `select 1 from allocation a join booking b on b.id = a.booking_id where b.venue_id = $1`,
    [asked.id],
  )
  expect(rows).toEqual([])
  const alone = await addVenue(db, [onRequest])
  expect(await daysOf(alone, [friday])).toMatchObject([{ status: 'closed', slots: [] }])
})

test('tables are held while the staff of their venue decide', async () => {
  const venue = await addVenue(db, [{ resources: [{}] }], { confirmMode: 'request' })
  expect(await hold(venue, `${friday}T19:00:00`)).toMatchObject({ status: 'held' })
  expect(timesOf(await dayOf(venue, friday), 'unavailable')).toContain('19:00')
})
