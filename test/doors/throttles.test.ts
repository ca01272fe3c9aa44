import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertEndpointRow } from '../support/deliveries.ts'
import { type Browser, openBrowser, openMember, openVisitor } from '../support/developers.ts'
import { bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'

let doors: Doors

beforeAll(async () => {
  doors = await openDoors({ TRUSTED_PROXIES: '127.0.0.0/8' })
})
afterAll(() => doors?.close())
beforeEach(() => doors.db.query('delete from throttle_window'))

const from = (address: string) => ({ 'x-forwarded-for': address })
const HERE = '203.0.113.1'
const ELSEWHERE = '203.0.113.2'

/** As if everyone who has tried something had tried it a million times. */
const useUp = () => doors.db.query('update throttle_window set tries = 1000000')

describe('changes in the dashboard', () => {
  const change = async (browser: Browser, address: string) => {
    const agent = { name: `agent-${crypto.randomUUID().slice(0, 8)}`, description: 'test' }
    const { status } = await browser.post('/dashboard/agents', agent, from(address))
    return status === 429 ? 429 : 'done'
  }

  test('are limited per person, wherever they are, for all processes together', async () => {
    const [one, other] = [await openBrowser(doors), await openBrowser(doors)]
    expect(await change(one, HERE)).toBe('done')
    await useUp()
    expect(await change(one, HERE)).toBe(429)
    expect(await change(one, ELSEWHERE)).toBe(429)
    expect(await change(other, HERE)).toBe('done')
  })

  test('of others never keep an owner from protecting the account', async () => {
    const owner = await openBrowser(doors)
    const reader = await openMember(doors, owner.accountId, 'read-only')
    const own = () => reader.post('/dashboard/account/sessions/end-others', {}, from(HERE))
    const other = await openBrowser(doors)
    await Promise.all([own(), change(other, HERE)])
    await useUp()
    expect([(await own()).status, await change(other, HERE)]).toEqual([429, 429])
    expect(await change(owner, ELSEWHERE)).toBe('done')
    for (const path of ['keys', 'account/password', `members/${reader.developerId}/remove`]) {
      const { status } = await owner.post(`/dashboard/${path}`, {}, from(HERE))
      expect([path, status]).not.toEqual([path, 429])
    }
    expect(await change(owner, HERE)).toBe('done')
  })

  test('leave the pages readable once their limit is reached', async () => {
    const browser = await openBrowser(doors)
    await change(browser, HERE)
    await useUp()
    expect((await browser.get('/dashboard/agents', from(HERE))).status).toBe(200)
    const refused = await browser.post('/dashboard/agents', {}, from(HERE))
    expect(refused.html).toContain('Too many attempts')
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  })
})

describe('through the API', () => {
  const post = async (key: string, path: string, body: object, headers: object) => {
    const response = await fetch(doors.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(key), ...headers },
      body: JSON.stringify(body),
    })
    const { code = 'ok', endpoint } = await jsonOf(response)
    return { code, id: endpoint?.id as string }
  }
  const create = (key: string, address: string, headers = {}) => {
    const body = { url: 'https://receiver.example/hook' }
    return post(key, '/api/webhooks', body, { ...from(address), ...headers })
  }

  test('endpoints are limited per account and per address; a repeat gets its answer', async () => {
    const [one, other] = [await doors.openAccount('pro'), await doors.openAccount('pro')]
    const first = { 'idempotency-key': 'first' }
    const { id } = await create(one.key, HERE, first)
    await useUp()
    expect((await create(one.key, ELSEWHERE)).code).toBe('too_many_tries')
    expect((await create(other.key, HERE)).code).toBe('too_many_tries')
    expect((await create(other.key, ELSEWHERE)).code).toBe('ok')
    expect(await create(one.key, HERE, first)).toEqual({ code: 'ok', id })
    const { rows } = await doors.db.query(
      'select count(*)::int as endpoints from endpoint where account_id = any($1)',
      [[one.accountId, other.accountId]],
    )
    expect(rows).toEqual([{ endpoints: 2 }])
  })

  test('test events are limited per account and per address', async () => {
    const holders = [await doors.openAccount('pro'), await doors.openAccount('pro')]
    const [one, other] = await Promise.all(
      holders.map(async ({ key, accountId }) => {
        const id = await insertEndpointRow(doors.db, accountId, { status: 'active' })
        return async (address: string) =>
          (await post(key, `/api/webhooks/${id}/test`, {}, from(address))).code
      }),
    )
    expect(await one?.(HERE)).toBe('ok')
    await useUp()
    expect(await one?.(ELSEWHERE)).toBe('too_many_tries')
    expect(await other?.(HERE)).toBe('too_many_tries')
    expect(await other?.(ELSEWHERE)).toBe('ok')
    const { rows } = await doors.db.query(
      `select count(*)::int as events from event where type = 'endpoint.test'`,
    )
    expect(rows).toEqual([{ events: 2 }])
  })
})

test('sign-ups of a day are limited per address', async () => {
  const signUp = async (name: string) => {
    const form = { email: `${name}@example.com`, password: 'correct horse battery' }
    return (await openVisitor(doors.url).post('/sign-up', form, from(HERE))).status
  }
  expect(await signUp('first')).toBe(200)
  await doors.db.query(
    `update throttle_window set tries = 1000000 where ends_at > now() + interval '2 hours'`,
  )
  expect(await signUp('second')).toBe(429)
})
