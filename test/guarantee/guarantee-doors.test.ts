import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { money } from '../../src/contract/rules/money.ts'
import {
  CREDIT_CURRENCY,
  MOST_CREDITED_MONTHLY_MINOR,
  promises,
  tariff,
} from '../../src/guarantee/rules/tariff.ts'
import { findBreaches } from '../../src/guarantee/steps/find-breaches.ts'
import { makeKey } from '../support/agent.ts'
import { later } from '../support/breaches.ts'
import { readableLog } from '../support/lines.ts'
import { type Doors, jsonOf, openDoors } from '../support/open-doors.ts'
import { writeRequest } from '../support/requests.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const { log } = readableLog()
const json = { accept: 'application/json' }

/** A request that nobody decides about. */
async function breakAnswer(accountId: string, at: Date) {
  const { rows } = await doors.db.query(
    `update venue set is_demo = false where confirm_mode = 'auto' returning id`,
  )
  const bookingId = crypto.randomUUID()
  const slot = { venueId: rows[0].id, slotTime: '2027-01-15T19:00:00', partySize: 2 }
  await writeRequest(doors.db, { bookingId, accountId, ...slot }, at)
  await findBreaches({ db: doors.db, log }, later(at, 45))
  return bookingId
}

test('a credit is in the answer, among the events and in the public figures', async () => {
  const { accountId, key } = await doors.openAccount('free')
  const other = await makeKey(doors.db, 'free')
  const bookingId = await breakAnswer(accountId, new Date())
  const read = async (bearer: string) =>
    jsonOf(
      await fetch(`${doors.url}/api/guarantee`, { headers: { authorization: `Bearer ${bearer}` } }),
    )
  const { promises: terms, breaches } = await read(key)
  expect(terms.map(({ promise }: { promise: string }) => promise)).toEqual([...promises])
  expect(breaches).toMatchObject([
    { booking_id: bookingId, promise: 'answer', credit_minor: 100, credit_text: 'USD 1' },
  ])
  expect((await read(other.key)).breaches).toEqual([])
  const asked = await fetch(`${doors.url}/a2a/v1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ protocol: 'service/a2a/v1', from: 'agent://guarantee', intent: 'guarantee.get' },
      payload: { limit: 1 },
    }),
  })
  expect((await jsonOf(asked)).payload.breaches).toHaveLength(1)
  const events = await fetch(`${doors.url}/api/events`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect((await jsonOf(events)).events).toMatchObject([
    { type: 'guarantee.credited', data: { booking_id: bookingId, credit_text: 'USD 1' } },
  ])
  const status = await jsonOf(await fetch(`${doors.url}/status`, { headers: json }))
  expect(status.guarantee).toMatchObject({
    days: 90,
    promises: [{ promise: 'answer', breaches: 1, credited_text: 'USD 1' }, {}, {}, {}],
  })
})

test('the status page has each promise', async () => {
  const page = await (
    await fetch(`${doors.url}/status`, { headers: { accept: 'text/html' } })
  ).text()
  for (const { title } of Object.values(tariff)) expect(page).toContain(title)
})

test('the guide has the numbers and credits of the tariff', () => {
  const guide = readFileSync(
    join(import.meta.dirname, '../../docs/guides/guarantees.md'),
    'utf8',
  ).replace(/\s+/g, ' ')
  for (const promise of promises) {
    const { title, creditMinor } = tariff[promise]
    expect(guide).toContain(`| ${title} |`)
    expect(guide).toContain(`| ${money(creditMinor, CREDIT_CURRENCY)} |`)
  }
  for (const { withinMs } of Object.values(tariff)) {
    if (withinMs !== null) expect(guide).toContain(`${withinMs / 1_000} s`)
  }
  expect(guide).toContain(money(MOST_CREDITED_MONTHLY_MINOR, CREDIT_CURRENCY))
})
