import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { addDays, weekdayOf } from '../../src/base/local-time.ts'
import { readPublicVenue } from '../../src/venues/operations/public-venue.ts'
import {
  at,
  day,
  isHeld,
  slotAt,
  studioRecord,
  test,
  usualYoga,
  weekly,
} from '../support/studio.ts'
import { dump, load } from './import-load.ts'

test('the times of a class are its sessions, with name, leader, length and places', async ({
  studios,
}) => {
  const studio = await studios.open('times')
  const slots = await studio.shown('Yoga')
  expect(slots).toMatchObject([
    {
      slot_time: slotAt('07:00'),
      ends_at: '2027-03-10T00:15:00.000Z',
      places_left: 14,
      sessions: [{ service: 'Yoga', name: 'Vinyasa', with: 'Putri' }],
    },
    { slot_time: slotAt('09:00'), places_left: 2, sessions: [{ service: 'Yoga', with: 'Made' }] },
  ])
  expect(await studio.shown('Yoga', 'Made')).toMatchObject([{ slot_time: slotAt('09:00') }])
  expect(await studio.hold('Yoga', '07:00', 'Made')).toMatchObject({
    refusal: {
      code: 'slot_unavailable',
      message: expect.stringMatching(
        /^Vinyasa is with Putri, not with Made at .*Free then: Putri\. /,
      ),
      facts: { free_with: ['Putri'], next_with: slotAt('09:00') },
    },
  })
  expect(await studio.hold('Yoga', '08:00')).toMatchObject({
    refusal: {
      code: 'slot_off_grid',
      message: expect.stringContaining('Others begin at 07:00, 09:00.'),
    },
  })
})

test('ten rivals for the last place of a session: one has it', async ({ studios }) => {
  const studio = await studios.open('last')
  expect(isHeld(await studio.hold('Yoga', '09:00'))).toBe(true)
  const rivals = await Promise.all(Array.from({ length: 10 }, () => studio.hold('Yoga', '09:00')))
  expect(rivals.filter(isHeld)).toHaveLength(1)
  const { rows } = await studios.db.query(
    'select cap, used from slot_counter where service_id = $1',
    [(await studio.wishFor('Yoga')).serviceId],
  )
  expect(rows).toEqual([{ cap: 2, used: 2 }])
})

test('somebody else can lead on a date, and the usual leader is free then', async ({ studios }) => {
  const studio = await studios.open('other')
  expect(await studio.session('add', '07:00', '--with', 'Made')).toBe(
    `Vinyasa is scheduled for ${day} at 07:00, 14 places, with Made.`,
  )
  expect(await studio.shown('Yoga')).toMatchObject([
    { sessions: [{ name: 'Vinyasa', with: 'Made' }] },
    {},
  ])
  expect(await studio.shown('Yoga', 'Putri')).toEqual([])
  expect(isHeld(await studio.hold('Private lesson', '07:00', 'Putri'))).toBe(true)
  await expect(studio.session('add', '08:30', '--with', 'Made')).rejects.toThrow(
    '"Made" leads two at once: Yoga, 2027-03-10 08:30, 75 minutes; and Yoga, Wednesday 09:00',
  )
  await expect(studio.session('add', '08:30', '--name', '=1+1')).rejects.toThrow('formula')
  await expect(studio.session('add', '08:30', '--with', 'Ayu')).rejects.toThrow(
    'No teacher called Ayu leads Yoga here. Who can: Made, Putri.',
  )
  expect(await studio.session('add', '20:00', '--places', '1')).toContain(
    '1 place.\nNobody leads it: --with says who.',
  )
  await expect(
    studio.run('session', 'add', studio.venue.slug, 'Reiki', '--date', day, '--start', '07:00'),
  ).rejects.toThrow('Services with sessions: Yoga, Pilates.')
})

test('a session with bookings is cancelled only with them, and takes no more', async ({
  studios,
}) => {
  const studio = await studios.open('cancel')
  expect(isHeld(await studio.hold('Yoga', '07:00'))).toBe(true)
  const stale = await studio.prepare('Yoga', '07:00')
  const cancel = (...flags: string[]) =>
    studio.session('cancel', '07:00', '--reason', 'Flu', ...flags)
  await expect(cancel()).rejects.toThrow(/has bookings; nothing has changed.*held, party of 1/s)
  expect(await studio.shown('Yoga')).toHaveLength(2)
  expect(await cancel('--cancel-bookings')).toContain('cancels 1 booking within a minute')
  const { rows } = await studios.db.query(
    `select c.input from command c join booking b on b.id = c.booking_id where b.venue_id = $1`,
    [studio.venue.id],
  )
  expect(rows).toEqual([{ input: { by: 'operator', reason: 'Flu' } }])
  expect(await stale()).toEqual({ undone: 'no_room' })
  expect(await studio.hold('Yoga', '07:00')).toMatchObject({
    refusal: { code: 'venue_closed', message: expect.stringContaining(': Flu.') },
  })
  expect(isHeld(await studio.hold('Private lesson', '07:00', 'Putri'))).toBe(true)
  await expect(cancel()).rejects.toThrow('No session begins')
  await expect(studio.session('add', '07:00')).rejects.toThrow('Putri is booked then')
  const again = await studio.session('add', '07:00', '--with', 'Made', '--minutes', '60')
  expect(again).not.toContain('Bookings stay')
  expect(isHeld(await studio.hold('Yoga', '07:00'))).toBe(true)
})

test('names that differ in case only are told apart, or refused', async ({ studios }) => {
  const studio = await studios.open('case')
  const rename = (name: string) =>
    studios.db.query(
      `update service set name = $2 where venue_id = $1 and name in ('Pilates', 'YOGA')`,
      [studio.venue.id, name],
    )
  await rename('YOGA')
  const cancel = ['--date', day, '--start', '07:00', '--reason', 'Flu'] as const
  const run = (name: string) => studio.run('session', 'cancel', studio.venue.slug, name, ...cancel)
  await expect(run('yoga')).rejects.toThrow('yoga could be one of Yoga, YOGA.')
  await expect(run('YOGA')).rejects.toThrow('No session begins')
  expect(await run('Yoga')).toContain('Yoga on 2027-03-10 at 07:00 is cancelled.')
  await rename('Pilates')
  const { services, ...record } = studioRecord('twins', usualYoga)
  const twins = [...services, { ...services[0], name: '(yoga)', sessions: [weekly('20:00')] }]
  expect((await studios.load({ ...record, services: twins })).lines.join()).toContain(
    'services.3.name: another service is called "Yoga", too similar to "(yoga)"',
  )
})

test('whoever cannot lead a class, is off or leaves, leads no session of it', async ({
  studios,
}) => {
  const { resources, ...record } = studioRecord('able', usualYoga)
  const [putri, made] = resources
  const able = (...others: object[]) =>
    studios.load({ ...record, resources: [putri, made, ...others] })
  const studio = await studios.open('able')
  const wayan = { kind: 'teacher', name: 'Wayan', party_max: 2, days_off: [day] }
  await able(wayan, { ...wayan, name: 'Rai', can: ['Pilates'] })
  const add = (date: string, leader: string) =>
    studio.run(
      ...['session', 'add', studio.venue.slug, 'Yoga', '--start', '12:00'],
      ...['--date', date, '--with', leader],
    )
  await expect(add(day, 'Rai')).rejects.toThrow('No teacher called Rai leads Yoga here.')
  await expect(add(day, 'Wayan')).rejects.toThrow(`Wayan is off on ${day}. Who can lead Yoga then`)
  const next = addDays(day, 1)
  await add(next, 'Wayan')
  expect((await able()).lines.join()).toContain(
    `Yoga: nobody leads ${next} 12:00 without "Wayan"; name another with`,
  )
  const file = await dump(studios.db, 'json', 'studios')
  expect(await load(studios.db, file, 'json', { source: 'x', at })).toMatchObject({
    updated: 0,
    refused: 0,
  })
})

test('importing again keeps what has a date, and an export changes nothing', async ({
  studios,
}) => {
  const studio = await studios.open('again')
  await studio.session('cancel', '07:00', '--reason', 'Flu')
  await studio.session('add', '12:00', '--minutes', '30')
  const later = [...usualYoga, weekly('20:00', { with: 'Putri' })]
  expect(await studios.load(studioRecord('again', later))).toMatchObject({
    updated: 1,
    lines: [],
  })
  const times = (await studio.shown('Yoga')).map(({ slot_time }) => slot_time.slice(11, 16))
  expect(times).toEqual(['09:00', '12:00', '20:00'])
  expect(isHeld(await studio.hold('Private lesson', '20:00', 'Putri'))).toBe(false)
  for (const format of ['json', 'csv'] as const) {
    const file = await dump(studios.db, format, 'studios')
    expect(await load(studios.db, file, format, { source: 'x', at })).toMatchObject({
      new: 0,
      updated: 0,
      refused: 0,
    })
  }
})

test('a closed day, and a teacher’s day off, end the sessions of that day', async ({ studios }) => {
  const studio = await studios.open('off')
  await studios.db.query(
    `update resource set days_off = '{${day}}' where venue_id = $1 and name = 'Made'`,
    [studio.venue.id],
  )
  expect(await studio.shown('Yoga')).toHaveLength(1)
  expect(isHeld(await studio.hold('Yoga', '09:00'))).toBe(false)
  const { sessions } = await readPublicVenue(
    { db: studios.db },
    studio.venue.slug,
    new Date(`${day}T00:00:00Z`),
  )
  expect(sessions).toMatchObject([
    { date: day, start: '07:00', name: 'Vinyasa', with: 'Putri', cancelled: undefined },
    { date: day, start: '09:00', name: 'Yoga', with: 'Made', cancelled: 'Made is off' },
    { name: 'Pilates' },
  ])
  await studio.run(
    'close',
    studio.venue.slug,
    '--date',
    day,
    '--hours',
    '07:00-08:00',
    '--reason',
    'Holiday',
  )
  expect(await studio.shown('Yoga')).toEqual([])
  await studio.run(
    'close',
    studio.venue.slug,
    '--date',
    day,
    '--hours',
    '07:00-08:15',
    '--reason',
    'Holiday',
  )
  expect(await studio.shown('Yoga')).toMatchObject([{ slot_time: slotAt('07:00') }])
})

test('the documented week is as documented', async ({ studios }) => {
  const text = readFileSync('docs/operate/availability.md', 'utf8')
  const { venues } = JSON.parse(/```json\n(\{"venues"[^`]*)```/.exec(text)?.[1] ?? '')
  const documented = await load(studios.db, JSON.stringify({ venues }), 'json', { at })
  expect(documented).toMatchObject({ new: 1, lines: [] })
  const [yoga] = venues[0].services
  yoga.price.amount_minor = 15_000
  const cheap = await load(studios.db, JSON.stringify({ venues }), 'json', { at })
  expect(cheap.lines.join()).toContain('price: is IDR 150: amount_minor is in minor units')
  const studio = await studios.open('documented', yoga.sessions)
  expect(await studio.shown('Yoga')).toEqual([])
  expect(isHeld(await studio.hold('Private lesson', '18:00', 'Made'))).toBe(true)
})

test('sessions that cannot be are refused with the reason', async ({ studios }) => {
  const refused = async (yoga: object[], pilates?: object[]) =>
    (await studios.load(studioRecord(randomUUIDv7(), yoga, pilates))).lines.join()
  expect(await refused([weekly('07:00'), weekly('07:00')])).toContain(
    'sessions.1: begins at the same time as sessions.0',
  )
  expect(await refused([weekly('07:00', { with: 'Ayu' })])).toContain('no teacher is called "Ayu"')
  expect(await refused([{ start: '07:00' }])).toContain('give day or date')
  expect(await refused([weekly('25:00')])).toContain('must be HH:MM')
  expect(await refused([{ date: '8 March', start: '07:00' }])).toContain('as in 2027-03-08')
  const late = { day: 7, start: '23:30', with: 'Made' }
  const early = { day: 1, start: '00:00', with: 'Made' }
  expect(await refused([late], [early])).toContain(
    '"Made" leads two at once: Yoga, Sunday 23:30, 60 minutes; and Pilates, Monday 00:00',
  )
  const once = { date: addDays(day, 1), start: '07:30', with: 'Putri' }
  const every = { day: weekdayOf(addDays(day, 1)), start: '07:00', with: 'Putri' }
  expect(await refused([every], [once])).toContain(`Pilates, ${addDays(day, 1)} 07:30`)
  expect(await refused([every, { ...once, start: '07:00' }], [once])).toContain('leads two')
  expect(await refused([every], [{ ...once, start: '08:00' }])).toBe('')
  const { services, ...record } = studioRecord('berlin', [
    { day: 7, start: '01:30', minutes: 60, with: 'Made' },
    { day: 7, start: '03:00', minutes: 60, with: 'Made' },
  ])
  const berlin = { ...record, services, latitude: 52.52, longitude: 13.405 }
  expect((await studios.load(berlin)).lines.join()).toContain(
    'on 2027-03-28, when clocks change: Yoga, Sunday 01:30, 60 minutes; and Yoga, Sunday 03:00',
  )
})
