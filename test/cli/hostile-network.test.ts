import { expect, test } from 'vitest'
import { followEvents } from '../../packages/cli/events/follow-events.ts'
import { eventLine } from '../../packages/cli/events/listen-to.ts'
import { json, network, problem } from '../support/answering.ts'
import { callCli } from '../support/cli.ts'

/** Sets the title, clears the screen with 7-bit and 8-bit ECMA-48, and reverses the text. */
const DRIVES = '\u001b]0;owned\u0007\u001b[2J\u009b2J\u202e'
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/

const at = '2026-12-24T19:00:00Z'
const id = '01a1fe14-6cb9-7562-8d94-b8aa549d7d5d'
const slot = { slot_time: at, status: 'available', places_left: 3, party_min: 1, party_max: 4 }
const failure = { category: 'connect', text: 'refused' }
const attempt = {
  ...{ number: 1, started_at: at, cause: 'schedule', status: 'failed' },
  ...{ http_status: null, ms: 3, failure },
}
const endpoint = {
  ...{ id, url: 'http://a', description: 'd', status: 'active', status_reason: 'r' },
  ...{ event_types: ['*'], deliveries: { pending: 'p', held: 1, failed: 1 }, last_sequence: 's' },
  ...{ failing_since: at, wait_until: at, wait_reason: 'w', fifo: false, rate_per_second: 'r' },
  ...{ headers: { [DRIVES]: 'v' }, keys: [{ id, state: 'current' }], created_at: at },
}
const delivery = {
  ...{ id, status: 'failed', event: { type: 't', id, number: 'n' }, endpoint_id: id, tries: 't' },
  ...{ sequence: 's', next: { at, rule: 'r' }, delivered_at: null, give_up_at: at },
  ...{ last_attempt: attempt, created_at: at },
}
const booking = {
  ...{ id, status: 'constructor', reason_code: 'r', venue: { name: 'n', slug: 's' } },
  ...{ slot_time: at, timezone: 'z', utc_offset: 'o', party_size: 'p', hold_until: at },
  ...{
    fee: { status: 'accrued', amount_minor: 1, currency: 'IDR' },
    answer_by: at,
    cancelled_by: 'c',
    created_at: at,
  },
  ...{ offer: { slot_time: at, answer_by: at }, change: { slot_time: at, party_size: 'p' } },
}
const replay = {
  ...{ id, status: 'running', total: 't', queued: 'q', deliveries: { delivered: 'd' } },
  created_at: at,
}
const corrections = [{ from: 'f', to: 't' }]
const service = { name: 'n', minutes: ['m'], prices: [{ text: 't' }], with: ['w'] }
/** One response that suits every command. */
const everything = {
  venues: [
    {
      ...{ slug: 's', name: 'n', category: 'c', area: 'a', price_level: 2 },
      availability: { slots: [slot] },
    },
  ],
  interpretation: { widened: 'w', assumed: 'a', hint: 'h', corrections, party_size: 2 },
  venue: { id, name: 'n' },
  services: [service, service],
  days: [{ date: '2026-12-24', status: 'open', reason: 'r', slots: [slot] }],
  entries: [{ number: 'n', at, by: 'b', what: 'w', why: 'y' }],
  amended: { from: { slot_time: at, party_size: 'p' } },
  ...{ timezone: 'z', party_size: 'p', next_cursor: 'c', version: 'v', complete: true },
  ...{ booking, bookings: [booking], status: 'constructor', next: 'n', signature: { kid: 'k' } },
  ...{ endpoint, endpoints: [endpoint], secret: 's', attempt, released: 'r', discarded: 'd' },
  ...{ delivery, deliveries: [delivery], attempts: [attempt], replay, replays: [replay] },
  counts: { would_send: 'w', never_attempted: 'n', in_flight: 'u' },
}

const poisoned = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (name, one) =>
    typeof one === 'string' && name !== 'currency' ? one + DRIVES : one,
  )

const as = (url: string) => ({
  VENUE_NETWORK_URL: url,
  VENUE_NETWORK_KEY: `service_live_${'k'.repeat(43)}`,
  XDG_CONFIG_HOME: '/nonexistent',
})

const commands = [
  'whoami',
  'search sushi',
  'availability v',
  'book v 2026-12-24T19:00 --party 2',
  'bookings list',
  'bookings show b',
  'bookings timeline b',
  'bookings amend b --party 3',
  'bookings cancel b --dry-run',
  'bookings cancel b',
  'webhooks list',
  'webhooks add http://a',
  'webhooks show e',
  'webhooks verify e',
  'webhooks resume e',
  'webhooks rotate e',
  'webhooks activate e',
  'webhooks delete e --yes',
  'webhooks deliveries',
  'webhooks delivery d',
  'webhooks retry d',
  'webhooks replay e --never-attempted',
  'webhooks replays e',
]

test.each(commands)('no response to "%s" controls the terminal', async (typed) => {
  const { url } = await network(json(200, poisoned(everything)))
  const shown = await callCli(typed.split(' '), as(url))
  expect(shown.stderr).toBe('')
  expect(shown.stdout).toContain('owned')
  expect(shown.stdout).not.toMatch(control)
  const exact = await callCli([...typed.split(' '), '--json'], as(url))
  expect(exact.stdout.replaceAll('\u202e', '')).not.toMatch(control)
  expect(JSON.stringify(exact.json())).toContain(JSON.stringify(DRIVES).slice(1, -1))
})

test.each(['', '--json'])('no refusal or outage controls the terminal %s', async (option) => {
  const hostile = { title: DRIVES, detail: DRIVES, request_id: DRIVES, retry_after: 0 }
  const { url } = await network(
    problem(503, DRIVES, hostile),
    problem(409, DRIVES, {
      ...hostile,
      errors: [{ pointer: DRIVES, detail: DRIVES }],
      alternatives: [{ venue: { slug: DRIVES }, slot_time: DRIVES }],
    }),
  )
  const typed = `book ${id} 2026-12-24T19:00 --party 2 ${option}`.trim().split(' ')
  const { code, stderr } = await callCli(typed, as(url))
  expect(code).toBe(1)
  expect(stderr).toContain('Retrying in 0 s')
  expect(stderr).not.toMatch(control)
})

test('neither followed events nor their errors control the terminal', async () => {
  const event = { number: 1, id: DRIVES, type: DRIVES, timestamp: at, data: {} }
  const { url } = await network(
    problem(500, 'internal_error', { detail: DRIVES, retry_after: 0 }),
    json(200, { events: [], next_after: DRIVES, last_number: DRIVES }),
    json(200, { events: [event], next_after: 1, last_number: 1 }),
  )
  const said: string[] = []
  const trouble = (text: string) => void said.push(text)
  const events = followEvents({ url, key: 'k', types: undefined, trouble }, 0)
  const { value } = await events.next()
  expect(value.id).toBe(DRIVES)
  expect(said).toHaveLength(2)
  expect([...said, eventLine(value, DRIVES)].join('\n')).not.toMatch(control)
})

test('a suggested command is a single word to a shell', async () => {
  const words = { ...everything, next_cursor: "x;curl a|sh'" }
  const [venue] = everything.venues
  const { url } = await network(json(200, { ...words, venues: [{ ...venue, slug: '$(reboot)' }] }))
  const { stdout } = await callCli(['search', 'sushi'], as(url))
  expect(stdout).toContain("book '$(reboot)' 2026-12-24T19:00 --party 2")
  expect(stdout).toContain("--cursor 'x;curl a|sh'\\'''")
})

test('a response with another shape is not mistaken for a refusal', async () => {
  const { url } = await network(json(200, {}))
  const { code, stdout, stderr } = await callCli(['bookings', 'list'], as(url))
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toMatch(/^This failed: TypeError: .*\n.*--json prints the answer as it is\.\n$/)
})
