import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectKeyHolders } from '../../src/accounts/store/authentication.ts'
import { updateOperator, updateVerifiedByEmail } from '../../src/accounts/store/developers.ts'
import { hashKey } from '../../src/accounts/store/key-secret.ts'
import { keyProgram } from '../../src/commands/key-commands.ts'
import { rewrap } from '../../src/commands/rewrap.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { addToken } from '../support/access-token.ts'
import { mailsTo, openMember, openVisitor, tokenIn, type Visitor } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { runTyped } from '../support/operator.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const password = 'correct horse battery'
const where = ({ headers }: { headers: Headers }) => headers.get('location')

/** A code that the app shows now or, for a second use, next; a step counts once. */
const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Date.now() / 1000 + 30 * steps })

async function signUp(email: string): Promise<Visitor> {
  const visitor = openVisitor(doors.url)
  await visitor.post('/sign-up', { email, password })
  await updateVerifiedByEmail(doors.db, email, new Date())
  return visitor
}

async function signIn(email: string, next = '/dashboard/keys') {
  const visitor = openVisitor(doors.url)
  return { visitor, to: where(await visitor.post('/sign-in', { email, password, next })) }
}

async function addApp(visitor: Visitor): Promise<string> {
  const { html } = await visitor.get('/dashboard/security/totp')
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(html)?.[1] ?? ''
  const answer = await visitor.post('/dashboard/security/totp', { secret, code: codeOf(secret) })
  expect(codesIn(answer.html)).toHaveLength(10)
  return secret
}

const codesIn = (html: string): string[] => html.match(/\b(?:[0-9a-f]{5}-){3}[0-9a-f]{5}\b/g) ?? []

test('a password opens nothing once an app is added, until its code is given', async () => {
  const email = 'app@example.com'
  const owner = await signUp(email)
  const elsewhere = (await signIn(email)).visitor
  const secret = await addApp(owner)
  expect(where(await elsewhere.get('/dashboard/keys'))).toContain('/sign-in?next=')
  expect((await mailsTo(doors.db, email, 2)).at(-1)).toContain('An authenticator app was added.')

  const { visitor, to } = await signIn(email)
  expect(to).toBe('/dashboard/keys')
  const asked = where(await visitor.get('/dashboard/keys'))
  expect(asked).toBe('/sign-in?next=%2Fdashboard%2Fkeys')
  const confirm = '/sign-in/confirm?next=%2Fdashboard%2Fkeys'
  expect(where(await visitor.get(asked ?? ''))).toBe(confirm)
  expect((await visitor.get(confirm)).html).toContain('Six digits from your authenticator app')
  // Where the page of an assistant's request sends a browser that it does not know.
  const consent = `/oauth/consent/${'x'.repeat(21)}`
  expect(where(await visitor.get(`/sign-up?next=${consent}`))).toBe(
    `/sign-in/confirm?next=${encodeURIComponent(consent)}`,
  )
  for (const path of ['/dashboard/account/password', '/dashboard/security/remove', '/join']) {
    const answer = await visitor.post(path, { password, new_password: 'another password' })
    expect(where(answer) ?? '', path).not.toContain('done=password')
  }
  expect((await visitor.post('/sign-in/confirm', { password })).status).toBe(403)

  const next = '/dashboard/keys'
  const replayed = await visitor.post('/sign-in/confirm', { code: codeOf(secret), next })
  expect([replayed.status, replayed.html.includes('was used before')]).toEqual([403, true])
  const code = codeOf(secret, 1).replace(/^.../, '$& ')
  const before = visitor.cookie()
  expect(where(await visitor.post('/sign-in/confirm', { code, next }))).toBe(next)
  expect(visitor.cookie()).not.toBe(before)
  expect((await visitor.get(next)).status).toBe(200)
  const { rows } = await doors.db.query(
    `select action from audit_entry where action in ('session.started', 'factor.added')
     and object_name is not null order by at`,
  )
  expect(rows.map(({ action }) => action)).toEqual([
    ...['session.started', 'session.started', 'factor.added', 'session.started'],
  ])
})

test('a new password does not replace the second factor, and a code works once', async () => {
  const email = 'reset@example.com'
  const owner = await signUp(email)
  await addApp(owner)
  const { html } = await owner.post('/dashboard/security/codes')
  const [code = '', second = '', ...rest] = codesIn(html)
  expect(rest).toHaveLength(8)
  await openVisitor(doors.url).post('/forgot-password', { email })
  const token = tokenIn((await mailsTo(doors.db, email, 4)).find((mail) => /Reset your/.test(mail)))
  const visitor = openVisitor(doors.url)
  const reset = { token, password: 'a whole new password' }
  expect(where(await visitor.post('/reset-password', reset))).toContain('/dashboard/account')
  expect(where(await visitor.get('/dashboard/account'))).toContain('/sign-in?next=')
  expect((await visitor.post('/sign-in/confirm', { code: 'x'.repeat(20) })).status).toBe(403)
  expect(where(await visitor.post('/sign-in/confirm', { code }))).toBe('/dashboard')
  expect((await visitor.get('/dashboard/account')).status).toBe(200)
  expect((await visitor.post('/sign-in/confirm', { code })).status).toBe(403)
  expect(where(await visitor.post('/sign-in/confirm', { code: second }))).toBe('/dashboard')
  const mails = await mailsTo(doors.db, email, 7)
  expect(mails.some((mail) => mail.includes('A recovery code was used; 8 codes left.'))).toBe(true)
})

test('a code that a second click sends again opens the same session, in that browser', async () => {
  const email = 'twice@example.com'
  const secret = await addApp(await signUp(email))
  const fields = { code: codeOf(secret, 1), next: '/dashboard/keys' }
  const { visitor } = await signIn(email)
  const cookie = visitor.cookie()
  const click = async () => {
    const browser = openVisitor(doors.url, cookie)
    const answer = await browser.post('/sign-in/confirm', fields)
    return [where(answer), browser.cookie(), (await browser.get('/dashboard/keys')).status]
  }
  const both = await Promise.all([click(), click()])
  both.push(await click())
  expect(both[0]).toEqual(['/dashboard/keys', expect.not.stringMatching(cookie), 200])
  expect(new Set(both.map((one) => one.join()))).toHaveLength(1)

  const other = (await signIn(email)).visitor
  expect((await other.post('/sign-in/confirm', fields)).status).toBe(403)
  await doors.db.query(`update developer_session set created_at = now() - interval '61 seconds'`)
  expect((await click())[0]).toBe('/sign-in?done=ended')
})

test('guesses are limited for each developer, whatever session they come from', async () => {
  const email = 'guess@example.com'
  await addApp(await signUp(email))
  const statuses = new Set<number>()
  for (let guess = 0; guess < 11; guess += 1) {
    const { visitor } = await signIn(email)
    statuses.add((await visitor.post('/sign-in/confirm', { code: '000000' })).status)
  }
  expect([...statuses]).toEqual([403, 429])
})

test('changes to how one signs in ask who it is again after ten minutes', async () => {
  const owner = await signUp('stale@example.com')
  const secret = await addApp(owner)
  await doors.db.query(`update developer_session set proved_at = now() - interval '11 minutes'`)
  const factor = (await doors.db.query('select id from second_factor where secret is not null'))
    .rows[0]?.id
  const confirm = '/sign-in/confirm?next=%2Fdashboard%2Fsecurity'
  expect(where(await owner.get('/dashboard/security'))).toBe(confirm)
  expect(where(await owner.post('/dashboard/security/remove', { factor }))).toBe(confirm)
  const change = { password, new_password: password.toUpperCase() }
  const changed = await owner.post('/dashboard/account/password', change)
  expect(where(changed)).toBe('/dashboard/account?done=password')
  expect(where(await owner.get('/dashboard/security'))).toBe(confirm)
  expect(where(await owner.post('/dashboard/security/remove', { factor }))).toBe(confirm)
  const next = '/dashboard/security'
  const cookie = owner.cookie()
  expect(where(await owner.post('/sign-in/confirm', { code: codeOf(secret, 1), next }))).toBe(next)
  expect(owner.cookie()).toBe(cookie)
  const { html } = await owner.get(next)
  const own = /remove\?factor=([^"]+)"/.exec(html)?.[1] ?? ''
  const question = await owner.get(`${next}/remove?factor=${own}`)
  expect(question.html).toContain('Your password alone then signs you in')
  expect(where(await owner.post(`${next}/remove`, { factor: own }))).toBe(`${next}?done=removed`)
  await doors.db.query(`update developer_session set proved_at = now() - interval '11 minutes'`)
  expect((await owner.post('/sign-in/confirm', { password })).status).toBe(403)
  const known = { password: change.new_password, next }
  expect(where(await owner.post('/sign-in/confirm', known))).toBe(next)
  expect((await owner.get(next)).html).not.toContain('Authenticator app</td>')
})

const holders = async (token: string) =>
  (await selectKeyHolders(doors.db, [hashKey(token)], new Date())).map((one) => one.developer_id)

test('an account can demand a second factor of members, but its owner needs one', async () => {
  const owner = await signUp('demand@example.com')
  const demand = '/dashboard/security/members'
  expect((await owner.post(demand, { required: 'yes' })).status).toBe(403)
  await addApp(owner)
  const { rows } = await doors.db.query(
    `select m.account_id from member m join developer d on d.id = m.developer_id
     where d.email = 'demand@example.com'`,
  )
  const member = await openMember(doors, rows[0].account_id, 'developer')
  expect(where(await member.get('/dashboard/keys'))).toBeNull()
  expect((await member.post(demand, { required: 'yes' })).status).toBe(403)
  const { token } = await addToken(doors, member)
  expect(await holders(token)).toEqual([member.developerId])
  expect(where(await owner.post(demand, { required: 'yes' }))).toContain('done=required')
  expect(await holders(token)).toEqual([])
  await expect(addToken(doors, member)).rejects.toThrow('This account needs a second step')
  const led = '/dashboard/security?done=demanded'
  for (const path of ['/dashboard/keys', '/dashboard/exports/bookings.csv', '/dashboard/account']) {
    expect(where(await member.get(path)), path).toBe(led)
  }
  expect(where(await member.post('/dashboard/keys', { name: 'k', scopes: 'usage' }))).toBe(led)
  expect((await member.get(led)).html).toContain('This account asks its members')
  expect(where(await owner.post(demand, { required: 'no' }))).toContain('done=optional')
  expect((await member.get('/dashboard/keys')).status).toBe(200)
})

test('operators need a second factor, and a command helps those who lost theirs', async () => {
  const email = 'operator@example.com'
  const operator = await signUp(email)
  await updateOperator(doors.db, email, true)
  const led = '/dashboard/security?done=operator'
  expect(where(await operator.get('/dashboard/operators'))).toBe(led)
  expect(where(await operator.post('/dashboard/operators/search', { q: 'x' }))).toBe(led)
  await addApp(operator)
  expect((await operator.get('/dashboard/operators')).status).toBe(200)

  await runTyped(keyProgram, ['remove-factors', email], doors)
  expect(where(await operator.get('/dashboard'))).toContain('/sign-in')
  expect((await mailsTo(doors.db, email, 3)).at(-1)).toContain(
    'The operator of the network removed',
  )
  const { visitor } = await signIn(email)
  expect((await visitor.get('/dashboard/audit')).html).toContain('Second step of sign-in removed')
})

test('the secret of an app is sealed, and sealed anew with another key', async () => {
  const email = 'sealed@example.com'
  const secret = await addApp(await signUp(email))
  const read = async () =>
    (
      await doors.db.query(
        `select f.id, f.secret from second_factor f join developer d on d.id = f.developer_id
         where d.email = $1`,
        [email],
      )
    ).rows[0]
  const { id, secret: sealed } = await read()
  expect(sealed).not.toContain(secret)
  expect(doors.sealer.open(sealed, `second_factor/${id}`)).toBe(secret)
  await doors.db.query('delete from second_factor where id <> $1', [id])
  const [first] = parseSealingKeys(newSealingKey()) ?? []
  if (!first) throw new Error('no key')
  const other = createSealer([{ ...first, id: 'other' }])
  const both = { ...other, open: doors.sealer.open }
  await rewrap(doors.db, both, () => {})
  expect(other.open((await read()).secret, `second_factor/${id}`)).toBe(secret)
})
