import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectKeysOf } from '../../src/accounts/store/keys.ts'
import { insertCalls } from '../../src/accounts/store/request-log.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { bearer, type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let browser: Browser

beforeAll(async () => {
  doors = await openDoors()
  browser = await openBrowser(doors)
})
afterAll(() => doors?.close())

const ping = async (key: string): Promise<number> =>
  (await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })).status

const keysOf = ({ accountId } = browser) =>
  selectKeysOf(doors.db, accountId, { before: null, limit: 100 })

const rawIn = (page: string) => /service_live_[\w-]{43}/.exec(page)?.[0] ?? ''

const makeKey = async (name: string, from = browser) => {
  const form = { form: randomUUID(), name, scopes: 'usage' }
  const { status, html } = await from.post('/dashboard/keys', form)
  expect(status).toBe(200)
  const [made] = await keysOf(from)
  return { form, html, raw: rawIn(html), id: made?.id ?? '' }
}

describe('keys', () => {
  test('a new key is shown only in the response to its form', async () => {
    const { raw, id, form } = await makeKey('till')
    expect(await ping(raw)).toBe(200)
    const again = await browser.post('/dashboard/keys', form)
    expect(again.html).toContain('This form was already submitted')
    expect(rawIn(again.html)).toBe('')
    expect(await keysOf()).toHaveLength(1)
    for (const path of ['/dashboard/keys', `/dashboard/keys/${id}`]) {
      const { html } = await browser.get(path)
      expect(html).toContain('till')
      expect(html).not.toContain(raw)
    }
  })

  test('a key can be created with an expiry date, and the page says so', async () => {
    const form = { form: randomUUID(), name: 'guest', until: '2031-02-03' }
    await browser.post('/dashboard/keys', form)
    const [made] = await keysOf()
    expect(made?.expires_at).toBe('2031-02-03T00:00:00.000Z')
    expect(made?.scopes).toEqual([])
    expect((await browser.get(`/dashboard/keys/${made?.id}`)).html).toContain(
      '3 Feb 2031, 00:00 UTC',
    )
  })

  test('a refused form keeps its input', async () => {
    const { status, html } = await browser.post('/dashboard/keys', {
      name: 'too late',
      until: '2020-01-01',
      scopes: 'keys',
    })
    expect(status).toBe(400)
    expect(html).toContain('valid until: give a date and a time in the future.')
    expect(html).toContain('value="too late"')
    expect(html).toContain('value="2020-01-01"')
    expect([...html.matchAll(/value="(\w+)" checked/g)].map(([, scope]) => scope)).toEqual(['keys'])
  })

  test('a name is always shown as plain text', async () => {
    const name = '"><img src=x onerror=alert(1)>'
    const { id, html } = await makeKey(name)
    const pages = [html]
    for (const path of ['/dashboard/keys', `/dashboard/keys/${id}`, '/dashboard/requests']) {
      pages.push((await browser.get(path)).html)
    }
    for (const page of pages) {
      expect(page).not.toContain('<img')
      expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;')
    }
  })

  test('a rolled key redirects to its successor, and both work', async () => {
    const { id, raw } = await makeKey('agent')
    const rolled = await browser.post(`/dashboard/keys/${id}/roll`, {
      form: randomUUID(),
      overlap: '1',
    })
    const next = rawIn(rolled.html)
    expect(rolled.html).toMatch(/Both work until the old key expires.*UTC/s)
    expect([await ping(raw), await ping(next)]).toEqual([200, 200])
    const { html } = await browser.get(`/dashboard/keys/${id}`)
    const [successor] = await keysOf()
    expect(html).toContain(`href="/dashboard/keys/${successor?.id}"`)
    expect(html).not.toContain('Roll key')
  })

  test('a key is renamed, and revoked after a confirmation', async () => {
    const { id, raw } = await makeKey('old')
    const renamed = await browser.post(`/dashboard/keys/${id}/rename`, { name: 'new' })
    expect(renamed.headers.get('location')).toBe(`/dashboard/keys/${id}?done=renamed`)
    const question = await browser.get(`/dashboard/keys/${id}/revoke`)
    expect(question.html).toContain('This cannot be undone')
    expect(await ping(raw)).toBe(200)
    const early = await browser.get(`/dashboard/keys/${id}?done=revoked`)
    expect(early.html).not.toContain('Key revoked')
    const revoked = await browser.post(`/dashboard/keys/${id}/revoke`)
    expect(revoked.headers.get('location')).toBe(`/dashboard/keys/${id}?done=revoked`)
    expect((await browser.get(`/dashboard/keys/${id}?done=revoked`)).html).toContain('Key revoked')
    expect((await browser.get(`/dashboard/keys/${id}`)).html).not.toContain('<dt>Expires')
    expect(await ping(raw)).toBe(401)
  })

  test('an impossible change is refused in its form', async () => {
    const { status, html } = await browser.post('/dashboard/keys', { name: '' })
    expect(status).toBe(400)
    expect(html).toMatch(/role="alert">name: /)
    expect(html).toMatch(/name="name"[^>]* aria-invalid="true" aria-describedby="\S+-error /)
    expect(html).toContain('Create a key')
  })
})

test.each(['', '/revoke'])('the page of a key%s is not found for another account', async (path) => {
  const { id } = await makeKey('mine')
  const other = await openBrowser(doors)
  expect((await other.get(`/dashboard/keys/${id}${path}`)).status).toBe(404)
  expect((await other.post(`/dashboard/keys/${id}/revoke`)).status).toBe(404)
  expect((await other.post(`/dashboard/keys/${id}/roll`, { overlap: '0' })).status).toBe(404)
  expect((await other.post(`/dashboard/keys/${id}/rename`, { name: 'x' })).status).toBe(404)
  expect((await keysOf())[0]).toMatchObject({ name: 'mine', revoked_at: null })
})

test('the plan is changed after a confirmation, and invoices are listed', async () => {
  const developer = await openBrowser(doors)
  expect((await developer.get('/dashboard/plan')).html).toContain('Upgrade to pro')
  const question = await developer.get('/dashboard/plan/change')
  expect(question.html).toContain('You are invoiced USD 49')
  const moved = await developer.post('/dashboard/plan', { tier: 'pro' })
  expect(moved.headers.get('location')).toBe('/dashboard/plan?done=pro')
  const { html } = await developer.get('/dashboard/plan?done=pro')
  expect(html).toContain('You are on pro')
  expect((await developer.get('/dashboard/plan?done=free')).html).not.toContain('You are on free')
  expect(html).toContain(new Date().toISOString().slice(0, 7))
  expect((await developer.get('/dashboard/plan/change')).html).toContain('Downgrade to free')
  await developer.post('/dashboard/plan', { tier: 'free' })
  expect((await developer.get('/dashboard/plan')).html).toContain('Upgrade to pro')
})

test('requests are listed and filtered by outcome', async () => {
  const developer = await openBrowser(doors)
  const { id } = await makeKey('agent', developer)
  const call = {
    account_id: developer.accountId,
    key_id: id,
    at: new Date(),
    door: 'rest',
    operation: 'ping',
    ms: 3,
    from_agent: 'agent://concierge',
    calls: 1,
  }
  const ids = [randomUUID(), randomUUID()]
  await insertCalls(doors.db, [
    { ...call, request_id: ids[0] ?? '', code: 'ok' },
    { ...call, request_id: ids[1] ?? '', code: 'quota_exceeded', calls: 12 },
  ])
  const all = await developer.get('/dashboard/requests')
  for (const one of ids) expect(all.html).toContain(one)
  expect(all.html).toContain('× 12')
  const refused = await developer.get('/dashboard/requests?code=refused&door=&operation=')
  expect(refused.html).not.toContain(ids[0])
  expect(refused.html).toContain(`href="/dashboard/requests/${ids[1]}"`)
  expect(refused.html).toContain('quota_exceeded × 12')
  expect((await developer.get('/dashboard/requests?code=ok&door=mcp')).html).toContain(
    'No requests match',
  )
})

test('usage shows quota, requests and month, even for an unused account', async () => {
  const developer = await openBrowser(doors)
  for (const path of ['keys', 'plan', 'usage', 'requests']) {
    const { status, html } = await developer.get(`/dashboard/${path}`)
    expect([path, status]).toEqual([path, 200])
    expect(Buffer.byteLength(html)).toBeLessThan(60_000)
    expect(html).not.toMatch(/NaN|undefined|<script(?![^>]*\ssrc=)|\sstyle=/)
  }
  const { html } = await developer.get('/dashboard/usage?month=2026-03')
  expect(html).toContain('0 of 100 requests used')
  expect(html).toContain('Bookings and fees, March 2026')
  expect(html).toContain('href="/dashboard/usage?month=2026-02"')
})
