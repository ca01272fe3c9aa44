import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Owner, openOwner } from '../support/belongings.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { bearer, type Doors, openDoors } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'

const PATH = '/dashboard/operators'

let doors: Doors
let operator: Browser
let owner: Owner

beforeAll(async () => {
  doors = await openDoors()
  operator = await openBrowser(doors, { isOperator: true })
  owner = await openOwner(doors, 1)
})
afterAll(() => doors?.close())

const find = async (q: string) => {
  const { status, headers } = await operator.post(`${PATH}/search`, { q })
  expect(status).toBe(303)
  return headers.get('location') ?? ''
}

const venue = async () => (await doors.db.query('select id, slug from venue limit 1')).rows[0]

/** Each kind of object: what is typed, and the page that it leads to. */
const kinds: [string, (owner: Owner) => Promise<[typed: string, page: string]>][] = [
  ['an account', async ({ accountId }) => [accountId, `accounts/${accountId}`]],
  ['an address', async ({ accountId, browser }) => [browser.email, `accounts/${accountId}`]],
  ['a booking', async ({ things: { booking } }) => [booking, `bookings/${booking}`]],
  [
    'a booking by its workflow',
    async ({ things: { booking } }) => [`booking/${booking}`, `bookings/${booking}`],
  ],
  ['an event', async ({ things: { event } }) => [event, `events/${event}`]],
  ['a delivery', async ({ things: { delivery } }) => [delivery, `deliveries/${delivery}`]],
  ['an endpoint', async ({ things: { endpoint } }) => [endpoint, `endpoints/${endpoint}`]],
  ['the id of a key', async ({ accountId, things: { key } }) => [key, `accounts/${accountId}`]],
  ['a whole key', async ({ accountId, key }) => [key, `accounts/${accountId}`]],
  [
    'the end of a key',
    async ({ accountId, key }) => [`…${key.slice(-4)}`, `accounts/${accountId}`],
  ],
  [
    'an agent',
    async ({ accountId, things: { agent } }) => [`agent://${agent}`, `accounts/${accountId}`],
  ],
  [
    'a venue',
    async () => {
      const { slug } = await venue()
      return [` "${slug}" `, `venues/${slug}`]
    },
  ],
  [
    'the id of a venue',
    async () => {
      const { id, slug } = await venue()
      return [id, `venues/${slug}`]
    },
  ],
]

test.each(kinds)('%s opens its page', async (_, of) => {
  const [typed, page] = await of(owner)
  expect(await find(typed)).toBe(`${PATH}/${page}`)
  const { status, html } = await operator.get(`${PATH}/${page}`)
  expect(status).toBe(200)
  expect(html).not.toContain(owner.key)
  expect(html).not.toContain('said by the receiver')
})

test('the id of a request, as error pages and answers print it, opens its page', async () => {
  const answer = await fetch(`${doors.url}/api/bookings/${randomUUID()}`, {
    headers: bearer(owner.key),
  })
  const id = answer.headers.get('x-request-id') ?? ''
  await eventually('it in the log', async () =>
    (await find(id)).endsWith(`/operators/requests/${id}`),
  )
  const { html } = await operator.get(`${PATH}/requests/${id}`)
  expect(html).toContain('booking_not_found')
  expect(html).toContain(`accounts/${owner.accountId}`)
})

test('several hits are listed, including accounts by the beginning of their name', async () => {
  const names = ['Warung Dua', 'Warung Satu']
  for (const name of names) {
    const { accountId } = await openBrowser(doors)
    await doors.db.query('update account set name = $2 where id = $1', [accountId, name])
  }
  const { html } = await operator.get(await find('warung'))
  for (const name of names) expect(html).toContain(name)
})

test.each(['nothing-like-this', randomUUID(), '%', '', 'no@example.com', '…zzzz'])(
  '%o finds nothing, and the page says what can be found',
  async (typed) => {
    const { status, html } = await operator.get(await find(typed))
    expect(status).toBe(200)
    expect(html).toContain('name of an agent or')
  },
)

test('a full key never appears in an address', async () => {
  const unknown = `service_live_${'x'.repeat(39)}Ab3x`
  const address = await find(unknown)
  expect(decodeURIComponent(address)).toBe(`${PATH}/search?q=…Ab3x`)
  const { html } = await operator.get(`${PATH}/search?q=${unknown}`)
  expect(html).not.toContain(unknown)
})
