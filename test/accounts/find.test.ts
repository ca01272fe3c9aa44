import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAccountSearch } from '../../src/accounts/rules/account-search.ts'
import { type Owner, openOwner } from '../support/belongings.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let owner: Owner
let other: Owner
beforeAll(async () => {
  doors = await openDoors()
  owner = await openOwner(doors)
  other = await openOwner(doors)
})
afterAll(() => doors?.close())

const search = (q: string, who = owner) =>
  who.browser.get(`/dashboard/search?${new URLSearchParams({ q })}`)
const leadsTo = async (q: string) => (await search(q)).headers.get('location')
const requestOf = async ({ accountId }: Owner): Promise<string> =>
  (await doors.db.query('select request_id from request_log where account_id = $1', [accountId]))
    .rows[0].request_id

describe('a search is read', () => {
  const id = '0197a1f0-0000-7000-8000-00000000abcd'
  test.each([
    [`  ${id}\n`],
    [id.toUpperCase()],
    [id.replaceAll('-', '')],
    ['0197a1f0-0000-7000 -8000-0000 0000abcd'],
    [`"${id}"`],
    [`booking_id: ${id}`],
  ])('as an id: %j', (text) => {
    expect(readAccountSearch(text).id).toBe(id)
  })

  test('as the number of an event, as a key, or as words', () => {
    expect(readAccountSearch('#12')).toMatchObject({ number: 12, id: null })
    expect(readAccountSearch(`service_live_${'a'.repeat(43)}`).key).not.toBeNull()
    expect(readAccountSearch('  Bulan   Warung ')).toMatchObject({
      words: 'Bulan Warung',
      id: null,
    })
  })
})

describe('the search box', () => {
  test.each([
    ['booking', 'bookings'],
    ['hold', 'bookings'],
    ['endpoint', 'webhooks'],
    ['delivery', 'deliveries'],
    ['replay', 'replays'],
    ['key', 'keys'],
  ] as const)('opens a %s by its id, however it was pasted', async (thing, section) => {
    const id = owner.things[thing]
    const path = `/dashboard/${section}/${id}`
    for (const text of [id, ` ${id} `, id.replaceAll('-', ' '), id.toUpperCase()]) {
      expect(await leadsTo(text)).toBe(path)
    }
    expect((await owner.browser.get(path)).status).toBe(200)
  })

  test('opens an event by its id and by its number', async () => {
    const path = `/dashboard/events/${owner.things.eventNumber}`
    expect(await leadsTo(`#${owner.things.eventNumber}`)).toBe(path)
    expect(await leadsTo(owner.things.event)).toMatch(/^\/dashboard\/events\/\d+$/)
  })

  test('opens a request', async () => {
    const id = await requestOf(owner)
    const { html } = await owner.browser.get((await leadsTo(id)) ?? '')
    expect(html).toContain('<h2>Request')
    expect(html).toContain(id)
  })

  test('opens an endpoint by part of its URL, and an agent by its name', async () => {
    expect(await leadsTo(`${owner.accountId}.example/ho`)).toBe(
      `/dashboard/webhooks/${owner.things.endpoint}`,
    )
    expect(await leadsTo(owner.things.agent)).toBe(`/dashboard/agents/${owner.things.agent}`)
  })

  test('opens a key that was pasted in full, and keeps it out of the page', async () => {
    const to = await leadsTo(owner.key)
    expect(to).toMatch(/^\/dashboard\/keys\/[0-9a-f-]{36}$/)
    const { html } = await search(other.key)
    expect(html).toContain('Nothing found in this account')
  })

  test('lists venues by name, and multiple hits', async () => {
    const { rows } = await doors.db.query('select name, slug from venue order by slug limit 1')
    const { html, headers } = await search(rows[0].name)
    expect(html + headers.get('location')).toContain(`/venues/${rows[0].slug}`)
    const both = await search('key of')
    expect(both.status).toBe(200)
    expect(both.html.match(/<td[^>]*>key<\/td>/g)).toHaveLength(2)
  })

  test.each(['', '   ', '%', '_', '\\', "'; drop table venue", '\u0000', 'x'.repeat(500), '!!!'])(
    'says what to search for when %j finds nothing',
    async (text) => {
      const { status, html } = await search(text)
      expect(status).toBe(200)
      expect(html).toContain('Paste an id')
    },
  )

  test('finds nothing in another account, by any id or name', async () => {
    const { things, accountId, key } = other
    const texts = [...Object.values(things), `${accountId}.example`, `key of ${accountId}`, key]
    for (const text of [...texts, await requestOf(other)]) {
      if (text === things.eventNumber) continue
      const { html, headers } = await search(text)
      expect([headers.get('location'), html.includes('Nothing found in this account')]).toEqual([
        null,
        true,
      ])
    }
  })

  test('is on every page, as a plain form', async () => {
    const { html } = await owner.browser.get('/dashboard/keys')
    expect(html).toMatch(/<form role="search" action="\/dashboard\/search">/)
    for (const path of ['/docs', '/reference/', '/status', '/contact']) {
      expect(html).toContain(`href="${path}"`)
    }
  })
})
