import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { updateVerified } from '../../src/accounts/store/developers.ts'
import { lockKeysOf } from '../../src/accounts/store/keys.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { clearThrottle } from '../../src/platform/database/throttle.ts'
import { insertEndpointRow } from '../support/deliveries.ts'
import { mailsTo, openVisitor, tokenIn } from '../support/developers.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { addKey, bearer, type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())
beforeEach(async () => {
  for (const limit of ['reset', 'mail', 'sign-up']) {
    await clearThrottle(doors.db, `${limit} by address:127.0.0.1`)
  }
})

const password = 'correct horse battery'
const next = 'a whole new password'

async function openAccount(email: string) {
  const visitor = openVisitor(doors.url)
  await visitor.post('/sign-up', { email, password })
  await mailsTo(doors.db, email)
  return visitor
}

async function linkFor(email: string, count = 2): Promise<string> {
  await openVisitor(doors.url).post('/forgot-password', { email })
  return tokenIn((await mailsTo(doors.db, email, count)).at(-1))
}

test('the link in an email sets a new password, ends every session and signs in', async () => {
  const email = 'lost@example.com'
  const elsewhere = await openAccount(email)
  const token = await linkFor(email)
  const visitor = openVisitor(doors.url)
  expect((await visitor.get(`/reset-password?token=${token}`)).html).toContain('New password')
  const { headers } = await visitor.post('/reset-password', { token, password: next })
  expect(headers.get('location')).toBe('/dashboard/account?done=proved')
  expect((await visitor.get('/dashboard/account')).html).toContain('verified')
  expect((await elsewhere.get('/dashboard')).status).toBe(303)
  const old = await openVisitor(doors.url).post('/sign-in', { email, password })
  const now = await openVisitor(doors.url).post('/sign-in', { email, password: next })
  expect([old.status, now.status]).toEqual([401, 303])
})

/** Gives the account a key, an endpoint and an agent; returns a check that they still work. */
async function equip(email: string) {
  const { rows } = await doors.db.query(
    `select m.account_id
     from developer d join member m on m.developer_id = d.id where d.email = $1`,
    [email],
  )
  const { key } = await addKey(doors.db, rows[0].account_id)
  const endpoint = await insertEndpointRow(doors.db, rows[0].account_id)
  const name = `agent-${endpoint.slice(-8)}`
  await fetch(`${doors.url}/api/agents`, {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json' },
    body: JSON.stringify({ name, description: 'Books dinners' }),
  })
  return async () => {
    const { status } = await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })
    const { rows: found } = await doors.db.query('select status from endpoint where id = $1', [
      endpoint,
    ])
    const told = doors.engine.signals.some(({ start }) => start.endpointId === endpoint)
    const card = await fetch(`${doors.url}/agents/${name}/.well-known/agent-card.json`)
    return { key: status, endpoint: found[0].status, told, card: card.status }
  }
}

test('a reset that first verifies an address revokes everything created before', async () => {
  const email = 'squatted@example.com'
  await openAccount(email)
  const standing = await equip(email)
  expect(await standing()).toEqual({ key: 200, endpoint: 'active', told: false, card: 200 })
  const owner = openVisitor(doors.url)
  await owner.post('/reset-password', { token: await linkFor(email), password: next })
  expect(await standing()).toEqual({ key: 401, endpoint: 'disabled', told: true, card: 404 })
  const { html } = await owner.get('/dashboard/account?done=proved')
  expect(html).toContain('all keys are revoked, all assistants disconnected')
})

test('an owner who clicked a stranger’s sign-up link still gets a clean account', async () => {
  const email = 'hijacked@example.com'
  const stranger = await openAccount(email)
  const standing = await equip(email)
  const owner = openVisitor(doors.url)
  await owner.post('/verify-email', { token: tokenIn((await mailsTo(doors.db, email))[0]) })
  await owner.post('/reset-password', { token: await linkFor(email), password: next })
  expect(await standing()).toEqual({ key: 401, endpoint: 'disabled', told: true, card: 404 })
  expect((await stranger.get('/dashboard')).status).toBe(303)
  expect((await owner.get('/dashboard/account')).html).not.toContain('not verified')
})

test('the reset page says above its button what it will end', async () => {
  const email = 'warned@example.com'
  const visitor = await openAccount(email)
  const page = async (count: number) =>
    (await openVisitor(doors.url).get(`/reset-password?token=${await linkFor(email, count)}`)).html
  const first = await page(2)
  expect(first).toMatch(
    /revokes all keys, disconnects all assistants, removes all agents.*Save password/s,
  )
  await visitor.post('/verify-email', { token: tokenIn((await mailsTo(doors.db, email, 2))[0]) })
  const later = await page(3)
  expect(later).toContain('keep working')
  expect(later).not.toContain('revokes all keys')
})

test('until an address is verified, emails and pages say what a reset would end', async () => {
  const email = 'reminded@example.com'
  const visitor = await openAccount(email)
  const mail = async (count: number) => {
    await openVisitor(doors.url).post('/forgot-password', { email })
    return (await mailsTo(doors.db, email, count)).at(-1)
  }
  const reminder = /Verify your email address.*revokes your keys/s
  expect(await mail(2)).toMatch(/revokes all API keys.*Bookings stay.*dashboard\/account/s)
  expect((await visitor.get('/dashboard/bookings')).html).toMatch(reminder)
  await visitor.post('/verify-email', { token: tokenIn((await mailsTo(doors.db, email))[0]) })
  expect(await mail(3)).not.toContain('revokes')
  expect((await visitor.get('/dashboard/bookings')).html).not.toMatch(reminder)
})

test('a key being created during the first verification never comes into being', async () => {
  const email = 'racing@example.com'
  await openAccount(email)
  const { rows } = await doors.db.query(
    `select d.id, m.account_id
     from developer d join member m on m.developer_id = d.id where d.email = $1`,
    [email],
  )
  const { keyId, key } = await addKey(doors.db, rows[0].account_id)
  await doors.db.query('update api_key set scopes = $2 where id = $1', [keyId, ['keys']])
  const { making } = await transaction(doors.db, async (tx) => {
    await lockKeysOf(tx, rows[0].account_id)
    const making = fetch(`${doors.url}/api/keys`, {
      method: 'POST',
      headers: { ...bearer(key), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'late' }),
    })
    await untilWaiting(doors.db, 1)
    await updateVerified(tx, rows[0].id, new Date())
    return { making }
  })
  expect((await making).status).toBe(401)
  const { rows: late } = await doors.db.query(`select from api_key where name = 'late'`)
  expect(late).toEqual([])
})

test('a reset of a verified address keeps keys and endpoints', async () => {
  const email = 'owner@example.com'
  const visitor = await openAccount(email)
  await visitor.post('/verify-email', { token: tokenIn((await mailsTo(doors.db, email))[0]) })
  const standing = await equip(email)
  const { headers } = await openVisitor(doors.url).post('/reset-password', {
    token: await linkFor(email),
    password: next,
  })
  expect(headers.get('location')).toBe('/dashboard/account?done=reset')
  expect(await standing()).toEqual({ key: 200, endpoint: 'active', told: false, card: 200 })
})

test('setting the password twice, as by a double click, signs in both times', async () => {
  const email = 'clicks@example.com'
  await openAccount(email)
  const form = { token: await linkFor(email), password: next }
  const [one, other, late] = [doors.url, doors.url, doors.url].map((url) => openVisitor(url))
  const both = await Promise.all(
    [one, other].map((visitor) => visitor?.post('/reset-password', form)),
  )
  const after = await late?.post('/reset-password', form)
  for (const answer of [...both, after]) {
    expect(answer?.headers.get('location')).toBe('/dashboard/account?done=proved')
  }
  expect((await late?.get('/dashboard'))?.status).toBe(200)
  const guess = await openVisitor(doors.url).post('/reset-password', { ...form, password })
  expect(guess.status).toBe(410)
})

test('a link works once, and not after a newer one was sent', async () => {
  const email = 'once@example.com'
  await openAccount(email)
  const first = await linkFor(email)
  const second = await linkFor(email, 3)
  const visitor = openVisitor(doors.url)
  const expired = await visitor.get(`/reset-password?token=${first}`)
  expect(expired.status).toBe(410)
  expect(expired.html).toContain('<a class="button" href="/forgot-password">Send a new link</a>')
  const used = [
    await visitor.post('/reset-password', { token: first, password: next }),
    await visitor.post('/reset-password', { token: second, password: next }),
    await visitor.post('/reset-password', { token: second, password: 'yet another password' }),
  ]
  expect(used.map(({ status }) => status)).toEqual([410, 303, 410])
})

test('of two concurrent uses of a link, one sets the password', async () => {
  const email = 'race@example.com'
  await openAccount(email)
  const token = await linkFor(email)
  const answers = await Promise.all(
    ['first of the passwords', 'other of the passwords'].map((chosen) =>
      openVisitor(doors.url).post('/reset-password', { token, password: chosen }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 410])
})

test('a link that is expired, for another purpose or invented sets nothing', async () => {
  const email = 'expired@example.com'
  const visitor = openVisitor(doors.url)
  await visitor.post('/sign-up', { email, password })
  const verifying = tokenIn((await mailsTo(doors.db, email))[0])
  const expired = await linkFor(email)
  await doors.db.query(
    `update mailed_token set expires_at = now() - interval '1 second'
     where purpose = 'reset_password'`,
  )
  for (const token of [verifying, expired, 'A'.repeat(43), '', "'; drop table developer"]) {
    const { status, html } = await visitor.post('/reset-password', { token, password: next })
    expect([token, status]).toEqual([token, 410])
    expect(html).toContain('This link is no longer valid')
  }
})

test('a password that is too short does not use up the link', async () => {
  const email = 'typo@example.com'
  await openAccount(email)
  const token = await linkFor(email)
  const visitor = openVisitor(doors.url)
  const short = await visitor.post('/reset-password', { token, password: 'short' })
  expect(short.status).toBe(400)
  expect(short.html).toContain(token)
  expect((await visitor.post('/reset-password', { token, password: next })).status).toBe(303)
})

test('an unknown address gets the same answer, and no email is sent', async () => {
  await openAccount('here@example.com')
  const ask = (email: string) => openVisitor(doors.url).post('/forgot-password', { email })
  const [known, unknown] = [await ask('here@example.com'), await ask('nobody@example.com')]
  expect(known.status).toBe(200)
  expect(unknown.html).toBe(known.html)
  await mailsTo(doors.db, 'here@example.com', 2)
  const { rows } = await doors.db.query(`select 1 from mail where recipient like 'nobody%'`)
  expect(rows).toEqual([])
})

test('an address gets at most three emails of a kind per hour', async () => {
  const email = 'often@example.com'
  const visitor = await openAccount(email)
  for (let round = 0; round < 4; round += 1) await visitor.post('/forgot-password', { email })
  const asked: number[] = []
  for (let round = 0; round < 3; round += 1) {
    asked.push((await visitor.post('/dashboard/account/verification')).status)
  }
  expect(asked).toEqual([303, 303, 429])
  expect(await mailsTo(doors.db, email, 6)).toHaveLength(6)
})

test('links name the public address, whatever the Host header', async () => {
  const email = 'host@example.com'
  await openAccount(email)
  await openVisitor(doors.url).post('/forgot-password', { email }, { host: 'evil.example' })
  const [, mail] = await mailsTo(doors.db, email, 2)
  expect(mail).toContain('http://127.0.0.1:3000/reset-password?token=')
  expect(mail).not.toContain('evil.example')
})

test('of links requested at the same time, only one is valid', async () => {
  const email = 'twice@example.com'
  await openAccount(email)
  const ask = () => openVisitor(doors.url).post('/forgot-password', { email })
  await Promise.all([ask(), ask(), ask()])
  const mails = (await mailsTo(doors.db, email, 4)).filter((mail) =>
    mail.includes('reset-password'),
  )
  const tokens = mails.map(tokenIn)
  expect(new Set(tokens).size).toBe(3)
  const pages = await Promise.all(
    tokens.map((token) => openVisitor(doors.url).get(`/reset-password?token=${token}`)),
  )
  expect(pages.filter(({ html }) => html.includes('New password'))).toHaveLength(1)
  const { rows } = await doors.db.query(
    `select count(*)::int from mailed_token t join developer d on d.id = t.developer_id
     where d.email = $1 and purpose = 'reset_password' and used_at is null`,
    [email],
  )
  expect(rows).toEqual([{ count: 1 }])
})
