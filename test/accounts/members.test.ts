import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Browser,
  browse,
  mailsTo,
  openMember,
  openVisitor,
  tokenIn,
} from '../support/developers.ts'
import { bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

let accounts = 0

/** Signs up with a verified address, and so owns an account. */
async function openFounder() {
  accounts += 1
  const email = `founder-${accounts}@example.com`
  const visitor = openVisitor(doors.url)
  // Sign-ups are limited per address.
  await doors.db.query('delete from throttle_window')
  await visitor.post('/sign-up', { email, password: 'correct horse' })
  await doors.db.query('update developer set verified_at = now() where email = $1', [email])
  const { rows } = await doors.db.query(
    `select d.id, m.account_id from developer d join member m on m.developer_id = d.id
     where email = $1`,
    [email],
  )
  return { email, visitor, id: rows[0].id as string, accountId: rows[0].account_id as string }
}

const invite = (
  { visitor }: { visitor: Pick<Browser, 'post'> },
  email: string,
  role = 'developer',
) => visitor.post('/dashboard/members/invitations', { email, role })

const tokenFor = async (email: string, count = 1) =>
  tokenIn((await mailsTo(doors.db, email, count)).findLast((mail) => mail.includes('/join')))

const membersOf = async (accountId: string) => {
  const { rows } = await doors.db.query(
    `select email, role from member m join developer d on d.id = m.developer_id
     where m.account_id = $1 order by m.created_at, email`,
    [accountId],
  )
  return rows.map(({ email, role }) => `${email} ${role}`)
}

describe('an invitation', () => {
  test('is accepted by signing up, which verifies the address', async () => {
    const founder = await openFounder()
    const email = 'new@example.com'
    expect((await invite(founder, email, 'billing')).headers.get('location')).toContain('invited')
    const token = await tokenFor(email)
    const visitor = openVisitor(doors.url)
    const page = await visitor.get(`/join?token=${token}`)
    expect(page.html).toContain('as billing')
    const joined = await visitor.post('/join/sign-up', { token, password: 'battery staple' })
    expect(joined.headers.get('location')).toBe('/dashboard/members?done=joined')
    expect(await membersOf(founder.accountId)).toEqual([
      `${founder.email} owner`,
      `${email} billing`,
    ])
    const { rows } = await doors.db.query(
      `select verified_at is not null as is_verified, (select count(*)::int from member
         where developer_id = d.id) as accounts from developer d where email = $1`,
      [email],
    )
    expect(rows).toEqual([{ is_verified: true, accounts: 1 }])
    expect((await visitor.get('/dashboard')).headers.get('location')).toBe('/dashboard/usage')
  })

  test('works once', async () => {
    const founder = await openFounder()
    await invite(founder, 'once@example.com')
    const token = await tokenFor('once@example.com')
    await openVisitor(doors.url).post('/join/sign-up', { token, password: 'battery staple' })
    const again = await openVisitor(doors.url).get(`/join?token=${token}`)
    expect([again.status, again.html.includes('link_already_used')]).toEqual([410, true])
  })

  test('is accepted by signing in, and the developer then chooses between accounts', async () => {
    const [founder, guest] = [await openFounder(), await openFounder()]
    await invite(founder, guest.email.toUpperCase())
    const token = await tokenFor(guest.email.toUpperCase())
    expect((await openVisitor(doors.url).get(`/join?token=${token}`)).html).toContain('Sign in')
    const before = await guest.visitor.get('/dashboard/accounts')
    expect(before.html).not.toContain('founder-1@')
    await guest.visitor.post('/join', { token })
    expect((await guest.visitor.get('/dashboard/members')).html).toContain(founder.email)
    await guest.visitor.post('/dashboard/accounts', { account: guest.accountId })
    expect((await guest.visitor.get('/dashboard/members')).html).not.toContain(founder.email)
    const stranger = await openFounder()
    const foreign = await guest.visitor.post('/dashboard/accounts', { account: stranger.accountId })
    expect(foreign.status).toBe(404)
    await guest.visitor.post('/sign-out')
    await guest.visitor.post('/sign-in', { email: guest.email, password: 'correct horse' })
    expect((await guest.visitor.get('/dashboard/members')).html).not.toContain(founder.email)
  })

  test('is for one address only', async () => {
    const [founder, other] = [await openFounder(), await openFounder()]
    await invite(founder, 'somebody@example.com')
    const token = await tokenFor('somebody@example.com')
    const page = await other.visitor.get(`/join?token=${token}`)
    expect(page.html).toContain('you are signed in as')
    const refused = await other.visitor.post('/join', { token })
    expect(refused.status).toBe(403)
    expect(await membersOf(founder.accountId)).toHaveLength(1)
    await openVisitor(doors.url).post('/join/sign-up', { token, password: 'battery staple' })
    expect(await membersOf(founder.accountId)).toHaveLength(2)
  })

  test('that has been revoked, sent again or has expired no longer works', async () => {
    const founder = await openFounder()
    const email = 'late@example.com'
    await invite(founder, email)
    const first = await tokenFor(email)
    const idOf = async () =>
      (await doors.db.query('select id from invitation where email = $1', [email])).rows[0]?.id
    await founder.visitor.post(`/dashboard/members/invitations/${await idOf()}/resend`)
    const second = await tokenFor(email, 2)
    expect(second).not.toBe(first)
    const statusOf = async (token: string) =>
      (await openVisitor(doors.url).get(`/join?token=${token}`)).status
    expect([await statusOf(first), await statusOf(second)]).toEqual([410, 200])
    await doors.db.query(
      `update invitation set expires_at = now() - interval '1 second' where email = $1`,
      [email],
    )
    expect(await statusOf(second)).toBe(410)
    expect((await founder.visitor.get('/dashboard/members')).html).toContain('expired')
    await founder.visitor.post(`/dashboard/members/invitations/${await idOf()}/revoke`)
    expect(await idOf()).toBeUndefined()
  })

  test('needs an owner with a verified address, and cannot be sent to a member', async () => {
    const founder = await openFounder()
    const own = await invite(founder, founder.email)
    expect([own.status, own.html.includes('already a member of the account')]).toEqual([409, true])
    await doors.db.query('update developer set verified_at = null where id = $1', [founder.id])
    const refused = await invite(founder, 'other@example.com')
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('Verify your own email address')
  })
})

describe('a member', () => {
  const post = (browser: Pick<Browser, 'post'>, path: string, fields = {}) =>
    browser.post(`/dashboard/members/${path}`, { sure: 'yes', ...fields })

  test('gets another role from an owner, effective from the next page', async () => {
    const founder = await openFounder()
    const member = await openMember(doors, founder.accountId, 'read-only')
    expect((await member.post('/dashboard/keys', { name: 'mine' })).status).toBe(403)
    await post(founder.visitor, `${member.developerId}/role`, { role: 'developer' })
    expect((await member.post('/dashboard/keys', { name: 'mine' })).status).toBe(200)
  })

  test('who joins without being signed in is asked to sign in, and led back', async () => {
    const founder = await openFounder()
    const guest = await openFounder()
    await invite(founder, guest.email)
    const token = await tokenFor(guest.email)
    const { headers } = await openVisitor(doors.url).post('/join', { token })
    const next = encodeURIComponent(`/join?token=${token}`)
    expect(headers.get('location')).toBe(`/sign-in?next=${next}`)
    const { html } = await founder.visitor.get('/dashboard/members')
    expect(html).not.toContain('autocomplete="username"')
  })

  test('who is removed is signed out of that account only', async () => {
    const founder = await openFounder()
    const member = await openMember(doors, founder.accountId, 'developer')
    const guest = await openFounder()
    await invite(founder, guest.email)
    await guest.visitor.post('/join', { token: await tokenFor(guest.email) })
    const elsewhere = openVisitor(doors.url)
    await elsewhere.post('/sign-in', { email: guest.email, password: 'correct horse' })
    await elsewhere.post('/dashboard/accounts', { account: guest.accountId })
    for (const id of [member.developerId, guest.id]) await post(founder.visitor, `${id}/remove`)
    expect((await member.get('/dashboard/keys')).headers.get('location')).toContain('/sign-in')
    expect((await guest.visitor.get('/dashboard/keys')).headers.get('location')).toContain(
      '/sign-in',
    )
    expect((await elsewhere.get('/dashboard/keys')).status).toBe(200)
  })

  test.each([
    ['is removed', 'founder', 'remove'],
    ['is demoted', 'founder', 'role'],
    ['demotes themselves', 'second', 'role'],
    ['leaves', 'second', 'leave'],
  ])('who %s cannot return through their own invitation', async (_, by, act) => {
    const founder = await openFounder()
    const second = await openMember(doors, founder.accountId, 'owner')
    await doors.db.query('update developer set verified_at = now() where id = $1', [
      second.developerId,
    ])
    const own = `own-${second.developerId}@example.com`
    const kept = `kept-${second.developerId}@example.com`
    await invite({ visitor: second }, own, 'owner')
    await invite({ visitor: second }, kept, 'developer')
    const { rows } = await doors.db.query('select id from invitation where email = $1', [kept])
    await founder.visitor.post(`/dashboard/members/invitations/${rows[0].id}/resend`)
    const path = act === 'leave' ? act : `${second.developerId}/${act}`
    await post(by === 'second' ? second : founder.visitor, path, { role: 'read-only' })
    const token = await tokenFor(own)
    const credentials = { token, password: 'battery staple' }
    const joined = await openVisitor(doors.url).post('/join/sign-up', credentials)
    expect([joined.status, joined.html.includes('link_already_used')]).toEqual([410, true])
    expect((await founder.visitor.get('/dashboard/members')).html).toContain(kept)
    const { rows: entries } = await doors.db.query(
      `select object_name from audit_entry where account_id = $1
         and action = 'member.invitation_revoked'`,
      [founder.accountId],
    )
    expect(entries).toEqual([{ object_name: own }])
  })

  test('can leave; signing in then opens their own account', async () => {
    const founder = await openFounder()
    await invite(founder, 'leaver@example.com', 'read-only')
    const visitor = openVisitor(doors.url)
    const token = await tokenFor('leaver@example.com')
    await visitor.post('/join/sign-up', { token, password: 'battery staple' })
    const left = await post(visitor, 'leave')
    expect(left.headers.get('location')).toBe('/sign-in?done=left')
    await visitor.post('/sign-in', { email: 'leaver@example.com', password: 'battery staple' })
    const { html } = await visitor.get('/dashboard/members')
    expect(html).toContain('leaver@example.com')
    expect(html).not.toContain(founder.email)
  })

  test('who is the last owner remains one, even if two owners leave at once', async () => {
    const founder = await openFounder()
    const { visitor, id, accountId } = founder
    expect((await post(visitor, 'leave')).status).toBe(409)
    const demoted = await post(visitor, `${id}/role`, { role: 'developer' })
    expect([demoted.status, demoted.html.includes('needs an owner')]).toEqual([409, true])
    const second = await openMember(doors, accountId, 'owner')
    const both = await Promise.all([post(visitor, 'leave'), post(second, 'leave')])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 409])
    expect((await membersOf(accountId)).filter((one) => one.endsWith(' owner'))).toHaveLength(1)
  })

  test('of a role below owner cannot manage members', async () => {
    const founder = await openFounder()
    const member = await openMember(doors, founder.accountId, 'developer')
    for (const path of [`${founder.id}/remove`, `${founder.id}/role`, 'invitations']) {
      const { status, html } = await post(member, path, { role: 'owner', email: 'a@example.com' })
      expect([status, html.includes('Ask an owner')]).toEqual([403, true])
    }
  })
})

test('members and invitations are listed by REST, and changes audited', async () => {
  const founder = await openFounder()
  await invite(founder, 'seen@example.com')
  await openMember(doors, founder.accountId, 'billing')
  await doors.db.query(`update api_key set scopes = '{keys}' where account_id = $1`, [
    founder.accountId,
  ])
  const made = await founder.visitor.post('/dashboard/keys', { name: 'reader', scopes: 'keys' })
  const key = /service_live_[\w-]{43}/.exec(made.html)?.[0] ?? ''
  const read = async (path: string) =>
    jsonOf(await fetch(doors.url + path, { headers: bearer(key) }))
  const { members, invitations } = await read('/api/members')
  expect(members.map(({ role }: { role: string }) => role)).toEqual(['owner', 'billing'])
  expect(invitations).toMatchObject([{ email: 'seen@example.com', role: 'developer' }])
  expect(JSON.stringify(invitations)).not.toContain('token')
  const { entries } = await read('/api/audit?action=member')
  expect(entries).toMatchObject([
    { action: 'member.invited', object: { name: 'seen@example.com' }, actor: { kind: 'member' } },
  ])
})

test('deleting an account keeps members who work elsewhere', async () => {
  const [founder, guest] = [await openFounder(), await openFounder()]
  await invite(founder, guest.email)
  await guest.visitor.post('/join', { token: await tokenFor(guest.email) })
  await openMember(doors, founder.accountId, 'developer')
  await founder.visitor.post('/dashboard/account/delete', { password: 'correct horse' })
  const { rows } = await doors.db.query('select email from developer where email = any($1)', [
    [founder.email, guest.email],
  ])
  expect(rows).toEqual([{ email: guest.email }])
  const visitor = openVisitor(doors.url)
  await visitor.post('/sign-in', { email: guest.email, password: 'correct horse' })
  expect((await browse(doors.url, visitor.cookie()).get('/dashboard/keys')).status).toBe(200)
})
