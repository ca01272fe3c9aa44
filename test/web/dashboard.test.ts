import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, browse, openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let browser: Browser

beforeAll(async () => {
  doors = await openDoors()
  browser = await openBrowser(doors)
})
afterAll(() => doors?.close())

describe('a page of the dashboard', () => {
  test('without a session redirects to the sign-in, which redirects back', async () => {
    const { status, headers } = await browse(doors.url, '').get('/dashboard/keys?done=rolled')
    expect(status).toBe(303)
    expect(headers.get('location')).toBe('/sign-in?next=%2Fdashboard%2Fkeys%3Fdone%3Drolled')
  })

  test('runs no inline script, and can be neither cached nor embedded', async () => {
    const { status, html, headers } = await browser.get('/dashboard')
    expect(status).toBe(200)
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/)
  })

  test('is found with a trailing slash too', async () => {
    const { status, headers } = await browser.get('/dashboard/')
    expect([status, headers.get('location')]).toEqual([303, '/dashboard'])
  })

  test('that does not exist says so in a page', async () => {
    const { status, html } = await browser.get('/dashboard/nothing')
    expect(status).toBe(404)
    expect(html).toContain('<h1>Page not found</h1>')
  })

  test('has assets that browsers cache until they change', async () => {
    const { html } = await browser.get('/dashboard')
    const files = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
    expect(files.length).toBeGreaterThan(3)
    for (const path of files) {
      const response = await fetch(doors.url + path)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toContain('immutable')
    }
  })
})

describe('a form-only address', () => {
  test.each([
    ['/sign-out', '/dashboard'],
    ['/dashboard/account/password', '/dashboard/account'],
    ['/dashboard/account/sessions/end', '/dashboard/account'],
    ['/dashboard/quickstart/key', '/dashboard/quickstart'],
    ['/dashboard/keys/an-id/roll?x=1', '/dashboard/keys/an-id'],
    ['/dashboard/webhooks/an-id/verify', '/dashboard/webhooks/an-id'],
    ['/dashboard/bookings/an-id/offer/accept', '/dashboard/bookings/an-id'],
  ])('opened directly, %s redirects to %s', async (path, to) => {
    const { status, headers } = await browser.get(path)
    expect([status, headers.get('location')]).toEqual([303, to])
  })

  test('redirects a signed-out browser to the sign-in', async () => {
    const { headers } = await browse(doors.url, '').get('/dashboard/account/password')
    expect(headers.get('location')).toMatch(/^\/sign-in\?next=/)
  })

  test('refuses other methods with a page for browsers and a problem for programs', async () => {
    const sent = (accept: string) =>
      fetch(`${doors.url}/sign-up`, { method: 'PUT', headers: { accept } })
    const [page, problem] = [await sent('text/html,*/*;q=0.8'), await sent('application/json')]
    expect([page.status, problem.status]).toEqual([405, 405])
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(problem.headers.get('content-type')).toContain('application/problem+json')
    expect(page.headers.get('allow')).toContain('POST')
  })
})

describe('a form', () => {
  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of this site', { 'sec-fetch-site': 'same-site' }],
    ['an address bar', { 'sec-fetch-site': 'none' }],
  ])('sent by %s is refused', async (_, headers) => {
    const { status, html } = await browser.post('/sign-out', {}, headers)
    expect(status).toBe(403)
    expect(html).toContain('Requests from this origin are not allowed')
    expect((await browser.get('/dashboard')).status).toBe(200)
  })

  test.each([
    ['without a browser', {}, 403],
    ['by an old browser from another origin', { origin: 'https://evil.example' }, 403],
    ['by an old browser from a frame without an origin', { origin: 'null' }, 403],
    ['by an old browser from another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['by an old browser from a page of ours', { origin: 'http://127.0.0.1:3000' }, 303],
  ])('sent %s is answered as expected', async (_, headers: Record<string, string>, status) => {
    const { cookie } = await openBrowser(doors)
    const response = await fetch(`${doors.url}/sign-out`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, ...headers },
      body: new URLSearchParams(),
    })
    expect(response.status).toBe(status)
  })

  test('signs out: the session ends for every holder of its cookie', async () => {
    const { status, headers } = await browser.post('/sign-out')
    expect(status).toBe(303)
    expect(headers.get('location')).toBe('/sign-in?done=signed-out')
    expect(headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await browser.get('/dashboard')).status).toBe(303)
  })
})
