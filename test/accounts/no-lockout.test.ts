import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { browse, mailsTo, openVisitor, tokenIn } from '../support/developers.ts'
import { bearer, type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors({ TRUSTED_PROXIES: '127.0.0.0/8', OPEN_REQUESTS_PER_MINUTE: '120' })
})
afterAll(() => doors?.close())
beforeEach(() => doors.db.query('delete from throttle_window'))

const password = 'correct horse battery'
const from = (address: string) => ({ 'x-forwarded-for': address })
const OWNERS = '203.0.113.1'

async function signUp() {
  const email = `${crypto.randomUUID()}@example.com`
  const owner = openVisitor(doors.url)
  await owner.post('/sign-up', { email, password }, from(OWNERS))
  await mailsTo(doors.db, email)
  return { email, owner }
}

/** Strangers' attempts: each network uses up its limit and then makes a few more. */
async function attack(email: string, path: '/sign-in' | '/sign-up', networks: number) {
  const statuses: number[] = []
  for (let network = 0; network < networks; network += 1) {
    for (let tried = 0; tried < 11; tried += 1) {
      const form = { email, password: `wrong guess ${network} ${tried}` }
      const stranger = openVisitor(doors.url)
      const answer = await stranger.post(path, form, from(`198.51.100.${network}`))
      statuses.push(answer.status)
    }
  }
  return statuses
}

const signIn = async (email: string, visitor = openVisitor(doors.url), address = OWNERS) =>
  (await visitor.post('/sign-in', { email, password }, from(address))).status

describe('strangers', () => {
  test.each(['/sign-in', '/sign-up'] as const)(
    'who try passwords by %s keep no owner out, in whatever browser',
    async (path) => {
      const { email } = await signUp()
      await attack(email, path, 2)
      expect(await signIn(email)).toBe(303)
      expect(await signIn(email, openVisitor(doors.url), '192.0.2.44')).toBe(303)
    },
  )

  test('are refused after ten tries from one network or a hundred from anywhere', async () => {
    const { email } = await signUp()
    const statuses = await attack(email, '/sign-in', 11)
    expect(statuses.slice(0, 11)).toEqual([...Array(10).fill(401), 429])
    expect(statuses.filter((status) => status === 401)).toHaveLength(100)
    expect(await signIn(email)).toBe(429)
  })

  test('cannot test passwords through /sign-up once /sign-in refuses them', async () => {
    const { email } = await signUp()
    await attack(email, '/sign-in', 1)
    const post = (word: string) =>
      openVisitor(doors.url).post('/sign-up', { email, password: word }, from('198.51.100.0'))
    expect((await post(password)).status).toBe(429)
    expect((await post('another guess')).status).toBe(429)
    const other = await signUp()
    expect((await attack(other.email, '/sign-up', 1)).at(-1)).toBe(429)
    expect(await signIn(other.email, openVisitor(doors.url), '198.51.100.0')).toBe(429)
  })

  test('cannot lock out a browser in which the owner has signed in before', async () => {
    const { email, owner } = await signUp()
    await owner.post('/sign-out')
    await attack(email, '/sign-in', 11)
    expect(await signIn(email)).toBe(429)
    expect(await signIn(email, owner, '198.51.100.1')).toBe(303)
  })

  test('cannot keep a signed-in member from setting a new password', async () => {
    const { email, owner } = await signUp()
    await attack(email, '/sign-in', 11)
    const form = { password, new_password: 'another password' }
    const { headers } = await owner.post('/dashboard/account/password', form)
    expect(headers.get('location')).toBe('/dashboard/account?done=password')
  })

  test('who send invalid keys do not lock out a colleague who has just signed in', async () => {
    const { email } = await signUp()
    const here = from('203.0.113.99')
    const guess = () =>
      fetch(`${doors.url}/api/ping`, { headers: { ...here, ...bearer('service_live_none') } })
    const blocked = async () => {
      for (let tried = 0; tried < 200; tried += 1) if ((await guess()).status === 429) return true
      return false
    }
    expect(await blocked()).toBe(true)
    const colleague = openVisitor(doors.url)
    expect((await colleague.post('/sign-in', { email, password }, here)).status).toBe(303)
    expect((await colleague.get('/dashboard', here)).status).toBe(200)
  })

  test('who ask for reset links leave the owner with one that works', async () => {
    const { email } = await signUp()
    for (let round = 0; round < 5; round += 1) {
      const stranger = openVisitor(doors.url)
      await stranger.post('/forgot-password', { email }, from(`198.51.100.${round}`))
    }
    const mails = await mailsTo(doors.db, email, 4)
    // They are written after the answers, so their order is not that of the requests.
    const pages = await Promise.all(
      mails.map((mail) => openVisitor(doors.url).get(`/reset-password?token=${tokenIn(mail)}`)),
    )
    expect(pages.some(({ html }) => html.includes('name="password"'))).toBe(true)
  })
})

describe('the mark of a browser', () => {
  test('has ten tries of its own, and works for its owner alone', async () => {
    const { email, owner } = await signUp()
    const { email: victim } = await signUp()
    await owner.post('/sign-out')
    const tries: number[] = []
    for (let tried = 0; tried < 11; tried += 1) {
      const form = { email, password: `guess ${tried}` }
      tries.push((await owner.post('/sign-in', form, from(`198.51.100.${tried}`))).status)
    }
    expect(tries).toEqual([...Array(10).fill(401), 429])
    await attack(victim, '/sign-in', 11)
    expect(await signIn(victim, owner)).toBe(429)
  })

  test('does not multiply guesses: all marks of one owner share a limit', async () => {
    const { email } = await signUp()
    const statuses: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const browser = openVisitor(doors.url)
      await browser.post('/sign-in', { email, password }, from(`198.51.100.${n}`))
      for (let tried = 0; tried < 10; tried += 1) {
        const form = { email, password: `guess ${n} ${tried}` }
        statuses.push((await browser.post('/sign-in', form, from(`198.51.100.${n}`))).status)
      }
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(30)
    expect(statuses.slice(30)).toEqual(Array(20).fill(429))
  })

  test('is set by signing in with a password, not by the pages of a session', async () => {
    const { owner } = await signUp()
    const thief = await browse(doors.url, owner.cookie()).get('/dashboard')
    expect(thief.status).toBe(200)
    expect(thief.headers.getSetCookie()).toEqual([])
  })

  test('ends with the password for which it was set', async () => {
    const { email, owner } = await signUp()
    const thief = openVisitor(doors.url)
    await thief.post('/sign-in', { email, password })
    const form = { password, new_password: 'another password' }
    await owner.post('/dashboard/account/password', form)
    await owner.post('/sign-out')
    await attack(email, '/sign-in', 11)
    const again = { email, password: 'another password' }
    expect((await thief.post('/sign-in', again, from('198.51.100.1'))).status).toBe(429)
    expect((await owner.post('/sign-in', again, from('198.51.100.1'))).status).toBe(303)
  })

  test('has no effect if it was invented or changed', async () => {
    const { email } = await signUp()
    await attack(email, '/sign-in', 11)
    for (const mark of ['A'.repeat(64), '', 'x']) {
      const { status } = await openVisitor(doors.url).post(
        '/sign-in',
        { email, password },
        { ...from(OWNERS), cookie: `venue_device=${mark}` },
      )
      expect(status).toBe(429)
    }
  })

  test('is out of reach for scripts and other sites', async () => {
    const { email } = await signUp()
    const visitor = openVisitor(doors.url)
    const { headers } = await visitor.post('/sign-in', { email, password })
    const mark = headers.getSetCookie().find((one) => one.startsWith('venue_device='))
    expect(mark).toMatch(/^venue_device=[\w-]{64}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    expect((await visitor.get('/dashboard')).headers.getSetCookie()).toEqual([])
  })
})
