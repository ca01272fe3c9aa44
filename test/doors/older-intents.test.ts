import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogue } from '../../src/catalogue.ts'
import { type Doors, openDoors, postEnvelope } from '../support/open-doors.ts'

const page = readFileSync(`${import.meta.dirname}/../../docs/guides/a2a.md`, 'utf8')
const older = catalogue.flatMap(({ a2a, formerly, example }) =>
  formerly ? [{ a2a, alias: formerly, example }] : [],
)

let doors: Doors
let key: string

beforeAll(async () => {
  doors = await openDoors()
  key = (await doors.openAccount('pro')).key
})
afterAll(() => doors?.close())

test('no two operations share an intent, whether current or older', () => {
  const all = catalogue.flatMap(({ a2a, formerly }) => (formerly ? [a2a, formerly] : [a2a]))
  expect(new Set(all).size).toBe(all.length)
})

test('the older intents are exactly the published ones', () => {
  expect(older.map(({ alias }) => alias).sort()).toEqual([
    'booking.cancel_watch',
    'booking.get_watch',
    'booking.itinerary',
    'booking.itinerary_cancel',
    'booking.itinerary_get',
    'booking.watch',
    'booking.watches',
    'webhook.cancel_replay',
    'webhook.deliveries',
    'webhook.delivery',
    'webhook.get_replay',
    'webhook.pause_replay',
    'webhook.replay',
    'webhook.replays',
    'webhook.resume_replay',
    'webhook.retry',
    'webhook.stats',
  ])
})

test.each(older)('$alias is answered as $a2a, with the intent as sent', async (one) => {
  const send = (intent: string) => postEnvelope(doors.url, key, { intent, payload: one.example })
  const [current, former] = [await send(one.a2a), await send(one.alias)]
  expect(former.status).toBe(current.status)
  expect(former.body).toEqual({ ...current.body, intent: one.alias, meta: expect.anything() })
  expect(former.body.error?.code).not.toBe('unknown_intent')
})

test('an unknown intent is answered with current names only', async () => {
  const { body } = await postEnvelope(doors.url, key, { intent: 'booking.watched' })
  expect(body.error.intents).toEqual(catalogue.map(({ a2a }) => a2a))
})

test('the older intents are documented beside the current ones', async () => {
  const llms = await (await fetch(`${doors.url}/llms.txt`)).text()
  for (const { a2a, alias } of older) {
    expect(llms).toContain(`A2A \`${a2a}\` (formerly \`${alias}\`)`)
    const row = page.split('\n').find((line) => line.includes(`\`${alias}\``))
    expect(row?.split('|')[1]).toContain(`\`${a2a}\``)
  }
})
