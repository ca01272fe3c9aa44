import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { throttles } from '../../src/accounts/rules/sign-in.ts'
import type { ThrottleLimit } from '../../src/base/throttle.ts'
import { throttleKey } from '../../src/platform/database/throttle.ts'
import { devMailboxUrl } from '../../src/platform/mail/dev-mailbox.ts'
import { hashPassword } from '../../src/platform/sealing/password-secret.ts'
import { mailsTo, openVisitor, tokenIn } from '../support/developers.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { hashAsInProduction } from '../support/quick-password-cost.ts'

let doors: Doors

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const password = 'correct horse battery'
const other = 'another password'

async function openAccount(email: string) {
  const visitor = openVisitor(doors.url)
  await visitor.post('/sign-up', { email, password })
  await mailsTo(doors.db, email)
  return visitor
}

/** Records enough attempts to use up the limit, or as many as given. */
const useUp = (limit: ThrottleLimit, who: string, tries = limit.most) =>
  doors.db.query(
    `insert into throttle_window (subject, tries, ends_at)
     values (sha256(convert_to($1, 'UTF8')), $2, now() + interval '10 minutes')
     on conflict (subject) do update set tries = excluded.tries`,
    [throttleKey(limit, who), tries],
  )

const sessionOf = async (email: string): Promise<string> =>
  (
    await doors.db.query(
      `select s.id from developer_session s join developer d on d.id = s.developer_id
       where d.email = $1`,
      [email],
    )
  ).rows[0].id

describe('an address is not flooded', () => {
  test('with notices of a changed password', async () => {
    const email = 'flooded@example.com'
    const visitor = await openAccount(email)
    let present = password
    for (let round = 0; round < 4; round += 1) {
      const next = `${password} ${round}`
      const form = { password: present, new_password: next }
      const { headers } = await visitor.post('/dashboard/account/password', form)
      expect(headers.get('location')).toBe('/dashboard/account?done=password')
      present = next
    }
    await vi.waitFor(
      () => expect(doors.logged()).toContain('the email about a changed password was not sent'),
      20_000,
    )
    const mails = await mailsTo(doors.db, email, 4)
    const told = mails.filter((mail) => mail.includes('was changed'))
    expect(told).toHaveLength(3)
  })

  test('by endless password changes, even by its owner', async () => {
    const email = 'restless@example.com'
    const visitor = await openAccount(email)
    await useUp(throttles.passwordBySession, await sessionOf(email))
    const form = { password, new_password: other }
    const { status, html } = await visitor.post('/dashboard/account/password', form)
    expect(status).toBe(429)
    expect(html).toContain('Too many attempts')
  })
})

test('a stolen session does not use up its owner’s attempts', async () => {
  const email = 'robbed@example.com'
  await openAccount(email)
  await useUp(throttles.passwordBySession, await sessionOf(email))
  const limit = { name: 'protective changes by session', most: 300, windowSeconds: 3_600 }
  await useUp(limit, await sessionOf(email))
  const owner = openVisitor(doors.url)
  await owner.post('/sign-in', { email, password })
  const form = { password, new_password: other }
  const { headers } = await owner.post('/dashboard/account/password', form)
  expect(headers.get('location')).toBe('/dashboard/account?done=password')
})

test('a password of blanks alone is refused', async () => {
  const email = 'blank@example.com'
  const form = { email, password: ' '.repeat(12) }
  const { html } = await openVisitor(doors.url).post('/sign-up', form)
  expect(html).toContain('Use more than blanks.')
})

test('a colleague at the same network address does not use up a person’s form limit', async () => {
  const visitor = await openAccount('behind-one-nat@example.com')
  const limit = { name: 'dashboard changes by address', most: 1_000, windowSeconds: 3_600 }
  await useUp(limit, '127.0.0.1')
  const { headers, status } = await visitor.post('/dashboard/requests/recording', { bodies: 'on' })
  expect([status, headers.get('location')]).toEqual([303, expect.stringContaining('/dashboard')])
})

test('a stranger’s sign-ups do not use up the emails for a lost password', async () => {
  const email = 'wanted@example.com'
  await openAccount(email)
  for (let round = 0; round < 4; round += 1) {
    await openVisitor(doors.url).post('/sign-up', { email, password: other })
  }
  const before = (await mailsTo(doors.db, email, 4)).length
  await openVisitor(doors.url).post('/forgot-password', { email })
  const mails = await mailsTo(doors.db, email, before + 1)
  expect(tokenIn(mails.at(-1))).not.toBe('no token')
})

describe('setting a password by a link', () => {
  const send = (token: string) =>
    openVisitor(doors.url).post('/reset-password', { token, password: other })

  test('with an invented token costs no hashing', async () => {
    hashAsInProduction()
    const msOf = async (work: () => Promise<unknown>) => {
      const begun = performance.now()
      await work()
      return performance.now() - begun
    }
    const hashings: number[] = []
    const answers: number[] = []
    const isQuicker = () => Math.min(...answers) < Math.min(...hashings)
    // Repeated, because the machine may be busy; an answer with hashing would never be quicker.
    for (let round = 0; round < 5 || (round < 100 && !isQuicker()); round += 1) {
      hashings.push(await msOf(() => hashPassword(other)))
      answers.push(await msOf(() => send('A'.repeat(43))))
    }
    expect(isQuicker()).toBe(true)
  })

  test('is limited by address, but not by strangers with invalid links', async () => {
    const email = 'behind-a-stranger@example.com'
    await openAccount(email)
    await openVisitor(doors.url).post('/forgot-password', { email })
    const link = tokenIn((await mailsTo(doors.db, email, 2)).at(-1))
    await useUp(throttles.resetByAddress, '127.0.0.1')
    expect((await send(link)).status).toBe(429)
    const almost = throttles.resetByAddress.most - 1
    await useUp(throttles.resetByAddress, '127.0.0.1', almost)
    for (let n = 0; n < 3; n += 1) expect((await send('A'.repeat(43))).status).toBe(410)
    expect((await send(link)).status).toBe(303)
    await useUp(throttles.resetByAddress, '127.0.0.1', 1)
  })
})

describe('during a password reset', () => {
  /** Sets another password, and commits once `work`, which uses the old one, waits for it. */
  async function meanwhile<T>(email: string, work: () => Promise<T>): Promise<T> {
    const client = await doors.db.connect()
    try {
      await client.query('begin')
      await client.query('update developer set password_hash = $2 where email = $1', [
        email,
        await hashPassword(other),
      ])
      const done = work()
      await untilWaiting(doors.db, 1)
      await client.query('commit')
      return await done
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  test('signing in with the old password opens no lasting session', async () => {
    const email = 'thief@example.com'
    await openAccount(email)
    const thief = openVisitor(doors.url)
    const { status } = await meanwhile(email, () => thief.post('/sign-in', { email, password }))
    expect(status).toBe(401)
    expect((await thief.get('/dashboard')).status).toBe(303)
  })

  test('changing the old password does not undo the reset', async () => {
    const email = 'change-thief@example.com'
    const thief = await openAccount(email)
    const form = { password, new_password: 'what the thief wants' }
    const { status } = await meanwhile(email, () => thief.post('/dashboard/account/password', form))
    expect(status).toBe(403)
    const owner = await openVisitor(doors.url).post('/sign-in', { email, password: other })
    expect(owner.status).toBe(303)
  })
})

test('a form with more fields than any page has is refused, whatever their names', async () => {
  const distinct = Array.from({ length: 2_300 }, (_, n) => n.toString(36)).join('&')
  const repeated = 'a&'.repeat(4_000)
  for (const body of [distinct, repeated]) {
    expect(body.length).toBeLessThan(8 * 1024)
    const { statusCode, payload } = await doors.app.inject({
      method: 'POST',
      url: '/sign-in',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      body,
    })
    expect(statusCode).toBe(400)
    expect(payload).toContain('at most 100 fields')
  }
})

test.each(['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'])(
  'behind a proxy that is detected by %s there is no mailbox',
  async (name) => {
    const visitor = openVisitor(doors.url)
    const mailbox = devMailboxUrl('', doors.sealer)
    expect((await visitor.get(mailbox)).status).toBe(200)
    expect((await visitor.get(mailbox, { [name]: '203.0.113.7' })).status).toBe(404)
  },
)

test('attempts are counted per subscriber network, whatever the address notation', async () => {
  const behind = await openDoors({ TRUSTED_PROXIES: '127.0.0.0/8' })
  try {
    const places = [
      '2001:db8::1',
      '2001:db8::2',
      '2001:db8:0:1::1',
      '::ffff:203.0.113.7',
      '203.0.113.7',
    ]
    for (const [n, place] of places.entries()) {
      const form = { email: `nobody-${n}@example.com`, password }
      await openVisitor(behind.url).post('/sign-in', form, { 'x-forwarded-for': place })
    }
    const triesOfPlace = async (place: string) => {
      const { rows } = await behind.db.query(
        `select tries from throttle_window where subject = sha256(convert_to($1, 'UTF8'))`,
        [throttleKey(throttles.signInByAddress, place)],
      )
      return rows[0]?.tries
    }
    const counted = ['2001:db8::', '2001:db8:0:1::', '203.0.113.7'].map(triesOfPlace)
    expect(await Promise.all(counted)).toEqual([2, 1, 2])
  } finally {
    await behind.close()
  }
})
