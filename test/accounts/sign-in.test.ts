import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clearThrottle } from '../../src/platform/database/throttle.ts'
import { openVisitor, type Visitor } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { hashAsInProduction } from '../support/quick-password-cost.ts'

let doors: Doors

beforeAll(async () => {
  doors = await openDoors()
  await openVisitor(doors.url).post('/sign-up', { email, password })
})
afterAll(() => doors?.close())

const email = 'ayu@example.com'
const password = 'correct horse battery'
const signIn = (visitor: Visitor, fields: Record<string, string> = {}) =>
  visitor.post('/sign-in', { email, password, ...fields })

describe('signing in', () => {
  test('opens a session in a cookie that no script and no other site can use', async () => {
    const { status, headers } = await signIn(openVisitor(doors.url))
    expect(status).toBe(303)
    expect(headers.get('location')).toBe('/dashboard')
    const [session, device, ...others] = headers.getSetCookie()
    expect(session).toMatch(
      /^venue_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/,
    )
    expect([device?.startsWith('venue_device='), others]).toEqual([true, []])
  })

  test('answers a wrong password and an unknown address alike', async () => {
    const wrong = await signIn(openVisitor(doors.url), { password: 'wrong password' })
    const unknown = await signIn(openVisitor(doors.url), { email: 'nobody@example.com' })
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    const plain = ({ html }: { html: string }) =>
      html.replaceAll(/(?<=value=")[^"]*@[^"]*|(?:email|password)-[0-9a-f]{8}/g, '')
    expect(plain(wrong)).toBe(plain(unknown))
  })

  test('takes as long for an unknown address as for a wrong password', async () => {
    hashAsInProduction()
    const email = 'patient@example.com'
    await openVisitor(doors.url).post('/sign-up', { email, password })
    const visitor = openVisitor(doors.url)
    const msOf = async (fields: Record<string, string>) => {
      const started = performance.now()
      await signIn(visitor, { email, password: 'wrong password', ...fields })
      return performance.now() - started
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 7; round += 1) {
      known.push(await msOf({}))
      unknown.push(await msOf({ email: 'nobody@example.com' }))
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[3] ?? 0
    const ratio = median(unknown) / median(known)
    expect(ratio).toBeGreaterThan(1 / 3)
    expect(ratio).toBeLessThan(3)
    for (const one of [email, 'nobody@example.com']) {
      await clearThrottle(doors.db, `sign-in by address and e-mail:127.0.0.1 ${one}`)
    }
  })

  test('starts a new session at each sign-in, and ends the previous one', async () => {
    const visitor = openVisitor(doors.url)
    await signIn(visitor)
    const first = visitor.cookie()
    await signIn(visitor)
    expect(visitor.cookie()).not.toBe(first)
    const planted = await openVisitor(doors.url).get('/dashboard', { cookie: first })
    expect(planted.status).toBe(303)
  })

  test('does not adopt a token chosen by somebody else', async () => {
    const planted = `venue_session=${'A'.repeat(43)}`
    const { status, headers } = await openVisitor(doors.url).post(
      '/sign-in',
      { email, password },
      { cookie: planted },
    )
    expect(status).toBe(303)
    expect(headers.get('set-cookie')).not.toContain(planted)
    expect((await openVisitor(doors.url).get('/dashboard', { cookie: planted })).status).toBe(303)
  })

  test.each([
    ['/dashboard/keys?done=rolled', '/dashboard/keys?done=rolled'],
    ['https://evil.example/', '/dashboard'],
    ['//evil.example/', '/dashboard'],
    ['/\\evil.example/', '/dashboard'],
    ['/.//evil.example/', '/dashboard'],
    ['/\t/evil.example/', '/dashboard'],
    ['javascript:alert(1)', '/dashboard'],
    ['', '/dashboard'],
  ])('with next=%s redirects to %s', async (next, to) => {
    const visitor = openVisitor(doors.url)
    const { headers } = await signIn(visitor, { next })
    expect(headers.get('location')).toBe(to)
    const again = await visitor.get(`/sign-in?next=${encodeURIComponent(next)}`)
    expect(again.headers.get('location')).toBe(to)
  })

  test.each([email, 'nobody@example.com'])(
    'is refused for a while after ten wrong passwords, for %s',
    async (of) => {
      const visitor = openVisitor(doors.url)
      const statuses: number[] = []
      for (let round = 0; round < 10; round += 1) {
        statuses.push((await signIn(visitor, { email: of, password: 'wrong password' })).status)
      }
      expect(new Set(statuses)).toEqual(new Set([401]))
      const { status, html, headers } = await signIn(visitor, { email: of })
      expect(status).toBe(429)
      expect(html).toContain('Too many attempts')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(800)
      await clearThrottle(doors.db, `sign-in by address and e-mail:127.0.0.1 ${of}`)
      const after = await signIn(visitor, { email: of })
      expect(after.status).toBe(of === email ? 303 : 401)
      await clearThrottle(doors.db, `sign-in by address and e-mail:127.0.0.1 ${of}`)
      await clearThrottle(doors.db, 'sign-in by address:127.0.0.1')
    },
  )
})

describe('a session', () => {
  const age = (interval: string) =>
    doors.db.query(
      `update developer_session set seen_at = seen_at - $1::interval,
         created_at = created_at - $1::interval, expires_at = expires_at - $1::interval`,
      [interval],
    )

  test('lasts while it is used, for at most ninety days', async () => {
    const visitor = openVisitor(doors.url)
    await signIn(visitor)
    for (let fortnight = 0; fortnight < 6; fortnight += 1) {
      await age('13 days')
      expect((await visitor.get('/dashboard')).status).toBe(200)
    }
    await age('13 days')
    expect((await visitor.get('/dashboard')).status).toBe(303)
  })

  test('ends after two weeks without use', async () => {
    const visitor = openVisitor(doors.url)
    await signIn(visitor)
    await age('14 days')
    expect((await visitor.get('/dashboard')).status).toBe(303)
  })

  test('is not accepted at other doors', async () => {
    const visitor = openVisitor(doors.url)
    await signIn(visitor)
    const headers = { cookie: visitor.cookie() }
    expect((await fetch(`${doors.url}/api/ping`, { headers })).status).toBe(401)
  })
})

test('over https the cookie is Secure and bound to the host', async () => {
  const secure = await openDoors({}, undefined, 'https://network.example')
  try {
    const { headers } = await openVisitor(secure.url).post('/sign-up', { email, password })
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-venue_session=\S+; Path=\/; HttpOnly; SameSite=Lax; Secure;/,
    )
  } finally {
    await secure.close()
  }
})

test.each([
  ['nobody', '', '127.0.0.1'],
  ['the proxy that sends it', '127.0.0.0/8', '203.0.113.7'],
])('with %s trusted, X-Forwarded-For counts as expected', async (_, proxies, counted) => {
  const behind = await openDoors({ TRUSTED_PROXIES: proxies })
  try {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    await openVisitor(behind.url).post('/sign-in', { email, password }, headers)
    const { rows } = await behind.db.query(
      `select tries from throttle_window where subject = sha256(convert_to($1, 'UTF8'))`,
      [`sign-in by address:${counted}`],
    )
    expect(rows).toEqual([{ tries: 1 }])
  } finally {
    await behind.close()
  }
})
