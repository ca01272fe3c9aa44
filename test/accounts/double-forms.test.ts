import { afterAll, beforeAll, expect, test } from 'vitest'
import { resendInvitation, revokeInvitation } from '../../src/accounts/operations/invitations.ts'
import { updateVerified } from '../../src/accounts/store/developers.ts'
import { countTeam } from '../../src/accounts/store/members.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import {
  type Browser,
  browse,
  mailsTo,
  openBrowser,
  openVisitor,
  tokenIn,
} from '../support/developers.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const password = 'correct horse battery'

async function openOwner(): Promise<Browser> {
  const owner = await openBrowser(doors)
  await updateVerified(doors.db, owner.developerId, new Date())
  return owner
}

const invite = (owner: Browser, email: string) =>
  owner.post('/dashboard/members/invitations', { email, role: 'developer' })

/** Sends a form twice, so that both wait for the row that `sql` locks. */
async function twice<T>(sql: string, values: unknown[], send: () => Promise<T>): Promise<T[]> {
  const client = await doors.db.connect()
  try {
    await client.query('begin')
    await client.query(sql, values)
    const both = Promise.all([send(), send()])
    await untilWaiting(doors.db, 2)
    await client.query('commit')
    return await both
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('a new password that is sent twice is changed once, and both sign in', async () => {
  const email = 'twice@example.com'
  const visitor = openVisitor(doors.url)
  await visitor.post('/sign-up', { email, password })
  const form = { password, new_password: 'another password' }
  const cookie = visitor.cookie()
  const answers = await twice('select from developer where email = $1 for update', [email], () =>
    browse(doors.url, cookie).post('/dashboard/account/password', form),
  )
  for (const { status, headers } of answers) {
    expect([status, headers.get('location')]).toEqual([303, '/dashboard/account?done=password'])
    const session = headers.getSetCookie().find((one) => one.startsWith('venue_session='))
    const page = await browse(doors.url, session?.split(';')[0] ?? '').get('/dashboard')
    expect(page.status).toBe(200)
  }
  // One verifies the address, one is about the password.
  const mails = await mailsTo(doors.db, email, 2)
  expect(mails.filter((one) => one.includes('password was changed'))).toHaveLength(1)
  expect(mails).toHaveLength(2)
})

test('two clicks on “Join” both lead to the account', async () => {
  const owner = await openOwner()
  const guest = await openBrowser(doors)
  await invite(owner, guest.email)
  const token = tokenIn((await mailsTo(doors.db, guest.email)).at(-1))
  const join = () => guest.post('/join', { token })
  const locked = 'select from account where id = $1 for update'
  const answers = [...(await twice(locked, [owner.accountId], join)), await join()]
  for (const { headers } of answers) {
    expect(headers.get('location')).toBe('/dashboard/members?done=joined')
  }
})

test('two clicks on “Create account and join” both lead to the account', async () => {
  const owner = await openOwner()
  const email = 'newcomer@example.com'
  await invite(owner, email)
  const token = tokenIn((await mailsTo(doors.db, email)).at(-1))
  const locked = 'select from account where id = $1 for update'
  const answers = await twice(locked, [owner.accountId], () =>
    openVisitor(doors.url).post('/join/sign-up', { token, password }),
  )
  const session = answers[0]?.headers.getSetCookie().find((one) => one.startsWith('venue_session='))
  const later = await browse(doors.url, session?.split(';')[0] ?? '').post('/join/sign-up', {
    token,
    password,
  })
  for (const { headers } of [...answers, later]) {
    expect(headers.get('location')).toBe('/dashboard/members?done=joined')
  }
})

test('an invitation that is sent twice is emailed once', async () => {
  const owner = await openOwner()
  const email = 'once-only@example.com'
  await Promise.all([invite(owner, email), invite(owner, email)])
  const token = tokenIn((await mailsTo(doors.db, email)).at(-1))
  expect((await openVisitor(doors.url).get(`/join?token=${token}`)).status).toBe(200)
  expect(await mailsTo(doors.db, email)).toHaveLength(1)
})

test('an invitation that is revoked while it is sent again stays revoked', async () => {
  const owner = await openOwner()
  await invite(owner, 'revoked@example.com')
  const { rows } = await doors.db.query('select id from invitation where account_id = $1', [
    owner.accountId,
  ])
  const { developerId: id, accountId: account_id, email } = owner
  const session = { session_id: rows[0].id as string, account_name: 'test', is_verified: true }
  const who = { id, account_id, email, ...session }
  const visit = { address: '127.0.0.1', device: 'Firefox on Linux', at: new Date() }
  const services = {
    db: doors.db,
    sendMail: () => Promise.reject(new Error('an email was sent')),
    settings: {
      ...{ publicUrl: '', feePct: 0, sendsMail: true, pushKey: null },
      endpointsNeedVerifiedEmail: true,
    },
  }
  const client = await doors.db.connect()
  await client.query('begin')
  await client.query('select from account where id = $1 for update', [account_id])
  const revoked = revokeInvitation(services, who, rows[0].id, visit)
  await untilWaiting(doors.db, 1)
  const resent = resendInvitation(services, who, rows[0].id, visit).catch((error) => error)
  await untilWaiting(doors.db, 2)
  await client.query('commit')
  client.release()
  await revoked
  expect(await resent).toMatchObject({ data: { code: 'page_not_found' } })
})

test('expired invitations do not count towards the size of a team', async () => {
  const owner = await openOwner()
  await invite(owner, 'slow@example.com')
  const count = (days: number) =>
    countTeam(doors.db, owner.accountId, new Date(Date.now() + days * DAY_MS))
  expect([await count(0), await count(30)]).toEqual([2, 1])
})
