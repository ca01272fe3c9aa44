import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const search = async (words: string) => {
  const response = await fetch(`${doors.url}/docs/find?q=${encodeURIComponent(words)}`)
  expect(response.status).toBe(200)
  return response.text()
}

test.each([
  ['rotate secret', '/docs/webhooks'],
  ['idempotency', '/docs/doors#sending-a-request-again'],
  ['waitlist', '/docs/watch'],
  ['cancel a booking', '/reference/booking_cancel'],
  ['slot_unavailable', '/errors#slot_unavailable'],
  ['webhoks', '/docs/webhooks'],
])('a search for %s finds %s', async (words, address) => {
  expect(await search(words)).toContain(`href="${address}`)
})

test('a search that finds nothing says so, and shows what was typed as text', async () => {
  const page = await search('<script>qqqq')
  expect(page).toContain('Nothing matches.')
  expect(page).not.toContain('<script>qqqq')
})

test('samples contain the address of this service', async () => {
  const page = await (await fetch(`${doors.url}/docs/rest`)).text()
  expect(page).toContain('`http://127.0.0.1:3000/api')
  expect(page).not.toContain('$URL')
})
