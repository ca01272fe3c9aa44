import { expect } from 'vitest'
import { withSessions } from '../../src/availability/rules/sessions.ts'
import { addDays } from '../../src/base/local-time.ts'
import { inThreeDays } from '../support/agent.ts'
import type { Service } from '../support/network.ts'
import { rulesWith } from '../support/rules.ts'
import { test } from '../support/service.ts'
import { addVenue } from '../support/test-venues.ts'

const day = inThreeDays()
const at = (clock: string, on = day) => `${on}T${clock}:00`

const session = (start: string, name?: string, others: object = {}) =>
  [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    ...{ day: weekday, start, minutes: 60, places: 1, ...(name && { name }) },
    ...others,
  }))
const rules = rulesWith({ requires: [], kind: 'class', leader: 'teacher', party_max: 1 })
const yoga = withSessions(rules, [
  ...session('07:00', 'Vinyasa', { with: 'Putri' }),
  ...session('09:00', 'Yin', { with: 'Made' }),
  ...session('11:00'),
  { date: addDays(day, 4), start: '20:00', name: 'Full moon', minutes: 90, places: 1 },
])
const pilates = withSessions(rules, [...session('07:00', 'Mat'), ...session('18:00', 'Yin')])

/** A studio with two classes, and what can be asked of it about its day. */
async function openStudio({ db, agent }: Service) {
  const leaders = ['Putri', 'Made'].map((name) => ({ kind: 'teacher', name, party_max: 1 }))
  const venue = await addVenue(
    db,
    [
      { name: 'Yoga', strategy: 'pooled', rules: yoga },
      { name: 'Pilates', strategy: 'pooled', rules: pilates },
    ],
    { shared: leaders },
  )
  const slot = (clock: string) => ({ venue_id: venue.id, party_size: 1, slot_time: at(clock) })
  return {
    slot,
    ask: async (path: string, request: object) => (await agent.post(path, request)).body,
    book: async (clock: string, request: object) =>
      (await agent.post('/api/bookings', { ...slot(clock), wait: 20, ...request })).body,
    amend: async (id: string, change: object) =>
      (await agent.patch(`/api/bookings/${id}`, { wait: 20, ...change })).body,
    shown: async (service: string) => {
      const query = new URLSearchParams({ date: day, party_size: '1', service })
      return (await agent.get(`/api/venues/${venue.slug}/availability?${query}`)).body
    },
  }
}

test('a name of sessions chooses their times, and a refusal lists the names', async ({
  service,
}) => {
  const studio = await openStudio(service)
  for (const words of [
    'vinyasa',
    'Vinyasa yoga',
    'vinyasa class',
    'Yoga, Vinyasa',
    'yoga vinyasa',
  ]) {
    expect(await studio.shown(words)).toMatchObject({
      ...(words !== 'Yoga, Vinyasa' && { understood: { service: 'Yoga, Vinyasa' } }),
      days: [{ times: ['07:00'], sessions: [{ service: 'Yoga', name: 'Vinyasa', with: 'Putri' }] }],
    })
  }
  expect((await studio.shown('yoga class')).days[0].times).toEqual(['07:00', '09:00', '11:00'])
  expect((await studio.shown('pilates yin')).days[0].times).toEqual(['18:00'])
  expect((await studio.shown('full moon')).days).toMatchObject([
    { status: 'closed', reason: 'There is no such session on this day.', times: [] },
  ])
  expect(await studio.shown('yin')).toMatchObject({
    code: 'service_not_offered',
    detail: expect.stringContaining('Several sessions have that name.'),
    services: [{ name: 'Yoga' }, { name: 'Pilates' }],
  })
  expect(await studio.shown('reiki')).toMatchObject({
    code: 'service_not_offered',
    detail: expect.stringContaining('no service or session of that name'),
    services: [
      { name: 'Yoga', sessions: ['Vinyasa', 'Yin', 'Full moon'] },
      { name: 'Pilates', sessions: ['Mat', 'Yin'] },
    ],
  })
})

test('another session is refused, and the refusal says when the one asked for is', async ({
  service,
}) => {
  const studio = await openStudio(service)
  const refused = await studio.book('09:00', { service: 'vinyasa' })
  expect(refused).toMatchObject({
    code: 'slot_unavailable',
    detail: expect.stringMatching(/^The session is Yin, not Vinyasa, at .* Vinyasa is free at /),
    next_session: at('07:00'),
  })
  expect(refused).not.toHaveProperty('watch')
  expect(refused.alternatives[0]).toMatchObject({ slot_time: at('07:00') })
  expect(await studio.book('08:00', { service: 'vinyasa' })).toMatchObject({
    code: 'slot_off_grid',
    detail: expect.stringMatching(
      /^There is no Vinyasa at .* Others begin at 07:00\. .* Vinyasa is free at/,
    ),
  })
  expect(await studio.book('07:00', { service: 'full moon' })).toMatchObject({
    detail: expect.stringContaining('The session is Vinyasa, not Full moon,'),
    next_session: at('20:00', addDays(day, 4)),
  })
  const [{ slot_time, service: name, minutes }] = refused.alternatives
  expect((await studio.book('', { slot_time, service: name, minutes })).booking).toMatchObject({
    slot_time: at('07:00'),
    service: { name: 'Yoga', session: 'Vinyasa', with: ['Putri'] },
  })
  const full = await studio.book('07:00', { service: 'vinyasa', guest_ref: 'b' })
  expect(full).toMatchObject({
    code: 'slot_unavailable',
    next_session: at('07:00', addDays(day, 1)),
  })
  const { watch } = await studio.ask('/api/watches', full.watch.input)
  expect(watch).toMatchObject({ service: 'Yoga, Vinyasa' })
})

test('a booking keeps its session when it moves, until another one is named', async ({
  service,
}) => {
  const studio = await openStudio(service)
  const { booking } = await studio.book('07:00', { service: 'vinyasa' })
  const amend = (change: object) => studio.amend(booking.id, change)
  expect(await amend({ slot_time: '09:00', dry_run: true })).toMatchObject({
    code: 'slot_unavailable',
    detail: expect.stringContaining('The session is Yin, not Vinyasa,'),
  })
  expect(await amend({ service: 'vinyasa' })).toMatchObject({ status: 'unchanged' })
  expect(await amend({ service: 'yoga yin', dry_run: true })).toMatchObject({
    detail: expect.stringContaining('The session is Vinyasa, not Yin,'),
  })
  expect(await amend({ service: 'yoga yin', slot_time: '09:00' })).toMatchObject({
    status: 'amended',
    amended: { from: { session: 'Vinyasa', with: ['Putri'] } },
    booking: { service: { session: 'Yin', with: ['Made'] } },
  })
  expect(await amend({ slot_time: '07:00' })).toMatchObject({
    detail: expect.stringContaining('The session is Vinyasa, not Yin,'),
  })
  expect(await amend({ service: 'yoga', slot_time: '11:00' })).toMatchObject({
    booking: { service: { name: 'Yoga' } },
  })
  expect(await amend({ slot_time: '07:00', dry_run: true })).toMatchObject({ status: 'possible' })
})

test('a watch is offered only the session that it waits for', async ({ service }) => {
  const studio = await openStudio(service)
  const held = await studio.ask('/api/holds', { ...studio.slot('07:00'), service: 'vinyasa' })
  const watch = (clock: string, others: object) =>
    studio.ask('/api/watches', { ...studio.slot(clock), service: 'vinyasa', ...others })
  expect(await watch('09:00', {})).toMatchObject({
    detail: expect.stringContaining('The session is Yin, not Vinyasa,'),
  })
  const { watch: waiting } = await watch('08:00', { flex_minutes: 90 })
  expect(waiting).toMatchObject({ status: 'watching', service: 'Yoga, Vinyasa' })
  expect(await watch('08:00', { flex_minutes: 90, service: 'Yoga, Vinyasa' })).toMatchObject({
    joined: true,
  })
  await studio.ask(`/api/holds/${held.booking.id}/release`, {})
  const { body } = await service.agent.get(`/api/watches/${waiting.id}`)
  expect(body.watch).toMatchObject({ status: 'offered', hold_slot_time: at('07:00') })
})

test('choices and parts are of the sessions that they name', async ({ service }) => {
  const studio = await openStudio(service)
  await studio.book('07:00', { service: 'vinyasa' })
  const others = ['09:00', '07:00'].map((clock, days) => ({
    ...studio.slot(clock),
    slot_time: at(clock, addDays(day, days)),
  }))
  const chosen = { service: 'vinyasa', guest_ref: 'b', alternatives: others }
  expect(await studio.book('07:00', chosen)).toMatchObject({
    choice: 3,
    choices: [{ service: 'Yoga, Vinyasa', status: 'refused' }, { status: 'refused' }, {}],
    booking: { service: { session: 'Vinyasa' } },
  })
  const parts = [
    { ...studio.slot('09:00'), service: 'yoga yin', with: 'made' },
    { ...studio.slot('18:00'), service: 'pilates yin' },
  ]
  const { itinerary } = await studio.ask('/api/itineraries', { parts, wait: 60 })
  expect(itinerary.parts).toMatchObject([
    { service: 'Yoga, Yin', booking: { service: { name: 'Yoga', session: 'Yin' } } },
    { service: 'Pilates, Yin', booking: { service: { name: 'Pilates', session: 'Yin' } } },
  ])
})
