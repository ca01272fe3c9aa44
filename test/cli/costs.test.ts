import { expect, test } from 'vitest'
import { json, network, problem } from '../support/answering.ts'
import { callCli } from '../support/cli.ts'

const deposit = {
  ...{ kind: 'guarantee', amount_minor: 10_000_000, currency: 'IDR', kept_when: 'No-show' },
  text: 'Guarantee of IDR 100,000 per guest',
}
const slot = {
  ...{ slot_time: '2026-11-24T15:30:00', status: 'available', party_min: 1, party_max: 4 },
  ...{ service: 'Hot stone', price: 'IDR 400,000++ per guest', deposits: [deposit] },
}
const venue = { id: 'v', slug: 'lumbung', name: 'Lumbung', category: 'spa', area: 'Ubud' }

const cli = async (typed: string, answer: Parameters<typeof network>[0]) =>
  callCli(typed.split(' '), {
    VENUE_NETWORK_URL: (await network(answer)).url,
    VENUE_NETWORK_KEY: `service_live_${'k'.repeat(43)}`,
    XDG_CONFIG_HOME: '/nonexistent',
  })

test('search shows the requested service, its price and deposit, and books just that', async () => {
  const book_with = { service: 'Hot stone', minutes: 90, with: 'Ayu' }
  const interpretation = { widened: null, assumed: null, hint: null, corrections: [] }
  const availability = { slots: [slot], book_with }
  const { stdout } = await cli(
    'search spa',
    json(200, {
      venues: [{ ...venue, price_level: 2, availability }],
      interpretation: { ...interpretation, party_size: 2 },
      next_cursor: null,
    }),
  )
  expect(stdout).toMatch(/Hot stone +IDR 400,000\+\+ per guest/)
  expect(stdout).toContain('lumbung: Guarantee of IDR 100,000 per guest. Kept: No-show')
  expect(stdout).toContain(
    "book lumbung 2026-11-24T15:30 --party 2 --service 'Hot stone' --minutes 90 --with Ayu",
  )
})

test('availability ends with what the venue asks for', async () => {
  const days = [{ date: '2026-11-24', status: 'available', reason: null, slots: [slot, slot] }]
  const answer = { venue, timezone: 'Asia/Makassar', party_size: 2, services: [], days }
  const { stdout } = await cli('availability lumbung', json(200, answer))
  expect(stdout).toMatch(/15:30 15:30\nGuarantee of IDR 100,000 per guest. Kept: No-show\n$/)
})

test('a booking shows its total and deposit, with deadlines at the venue', async () => {
  const service = { name: 'Hot stone', minutes: 90, price: { text: 't', total: 'IDR 2 for 2' } }
  const free_until_local = '2026-11-24T11:00:00+08:00 (Asia/Makassar)'
  const booking = {
    ...{ id: 'b', status: 'confirmed', venue, slot_time: slot.slot_time, service, party_size: 2 },
    ...{ timezone: 'Asia/Makassar', utc_offset: '+08:00', fee: { status: 'none' } },
    ...{ deposit: { ...deposit, text: 'IDR 200,000' }, created_at: '2026-11-20T00:00:00Z' },
    ...{ hold_until_local: null, answer_by_local: null, offer: null, change: null },
  }
  const cancellation = { fee: 'reversed', free_until_local }
  const { stdout } = await cli('bookings show b', json(200, { booking, cancellation }))
  expect(stdout).toMatch(/^price +IDR 2 for 2$/m)
  expect(stdout).toMatch(/^guarantee +IDR 200,000. Kept: No-show$/m)
  expect(stdout).toMatch(/^cancelling +free of charge until Tue 2026-11-24 11:00 \+08:00$/m)
})

test('a watch names what it waits for, in the time of the venue', async () => {
  const watch = {
    ...{ id: 'w', status: 'watching', venue, slot_time: slot.slot_time, timezone: 'Asia/Makassar' },
    ...{ service: 'Hot stone', minutes: 90, with: 'Ayu', flex_minutes: 0, party_size: 2 },
    ...{ position: 1, until_local: '2026-11-24T15:30:00+08:00 (Asia/Makassar)' },
  }
  const { stdout } = await cli('watches show w', json(200, { watch }))
  expect(stdout).toMatch(/^service +Hot stone, 90 min, with Ayu$/m)
  expect(stdout).toMatch(/^waits until +Tue 2026-11-24 15:30 \+08:00$/m)
})

test('a refusal shows the fields that it names, and the deposit of each alternative', async () => {
  const alternative = { venue, slot_time: slot.slot_time, kind: 'same_day', service: 'Hot stone' }
  const detail = 'Use a key that has `required_scope`.'
  const { stderr } = await cli(
    'book lumbung 2026-11-24T15:10 --party 2',
    problem(403, 'scope_required', {
      ...{ detail, required_scope: 'bookings', retryable: false },
      alternatives: [{ ...alternative, deposit: { ...deposit, text: 'IDR 200,000' } }],
    }),
  )
  expect(stderr).toContain('\n  required_scope: bookings\n')
  expect(stderr).toContain(
    '  free: lumbung 2026-11-24T15:30:00, Hot stone, guarantee of IDR 200,000. Kept: No-show\n',
  )
})
