import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertMember } from '../../src/accounts/store/members.ts'
import type { Role } from '../../src/base/roles.ts'
import { type Browser, mailsTo, openBrowser, openVisitor, tokenIn } from '../support/developers.ts'
import { KNOWN_REDIRECT, openOAuthClient } from '../support/oauth.ts'
import { bearer, type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors({ OAUTH_REGISTRATIONS_PER_DAY: '1000' })
})
afterAll(() => doors?.close())

const password = 'correct horse battery'

/** The path in a redirect: our own address differs from PUBLIC_URL in tests. */
const pathOf = ({ headers }: { headers: Headers }) => {
  const { pathname, search } = new URL(headers.get('location') ?? '', doors.url)
  return pathname + search
}

/** A program sends a browser to its consent page. */
async function begin(cookie = '', wishes: Parameters<typeof openOAuthClient>[1] = {}) {
  const client = await openOAuthClient(doors, wishes)
  const visitor = openVisitor(doors.url, cookie)
  const consent = pathOf(await visitor.get(client.authorize))
  return { client, visitor, consent }
}
type Begun = Awaited<ReturnType<typeof begin>>

/** Sends the form of the consent page; returns where the browser ends up outside this site. */
async function answer({ visitor, consent }: Begun, fields: Record<string, string>) {
  const sent = await visitor.post(consent, fields)
  expect(sent.status).toBe(303)
  const resumed = await visitor.get(pathOf(sent))
  return new URL(resumed.headers.get('location') ?? '')
}

async function connect(person: Browser, wishes: Parameters<typeof openOAuthClient>[1] = {}) {
  const begun = await begin(person.cookie, wishes)
  const to = await answer(begun, { answer: 'allow', account: person.accountId })
  const tokens = await begun.client.exchange(to)
  return { ...begun, ...tokens }
}

const ping = async (token: string) =>
  (await fetch(`${doors.url}/api/ping`, { headers: bearer(token) })).status

describe('a person whom an assistant sends', () => {
  test('signs up, answers, and returns to the assistant, without a key or a detour', async () => {
    const begun = await begin()
    const { visitor, consent, client } = begun
    const signUp = pathOf(await visitor.get(consent))
    expect(signUp).toBe(`/sign-up?next=${encodeURIComponent(consent)}`)
    const { html } = await visitor.get(signUp)
    expect(html).toContain('claude.ai wants to book for you.')
    const email = 'sent@example.com'
    const done = await visitor.post('/sign-up', { email, password, next: consent })
    expect(pathOf(done)).toBe(consent)
    const page = await visitor.get(consent)
    expect(page.html).toContain('<strong class="host">claude.ai</strong> wants to book for you')
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://claude.ai",
    )
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const [account = ''] = /value="([\da-f-]{36})" checked/.exec(page.html)?.slice(1) ?? []
    const to = await answer(begun, { answer: 'allow', account })
    expect(to.href).toMatch(/^https:\/\/claude\.ai\/api\/mcp\/auth_callback\?code=.*state=opaque/)
    const { access_token } = await client.exchange(to)
    expect(access_token).toMatch(/^service_access_/)
    const { rows } = await doors.db.query('select 1 from api_key where account_id = $1', [account])
    expect(rows).toEqual([])
    const [, connected] = await mailsTo(doors.db, email, 2)
    expect(connected).toContain('You allowed Claude (claude.ai) to act for you')
    expect(pathOf(await visitor.get('/sign-in'))).toBe('/dashboard')
  })

  test('comes back from a link in an email, in the browser that has the request', async () => {
    const { visitor, consent } = await begin()
    await visitor.get(consent)
    const email = 'forgot@example.com'
    const other = openVisitor(doors.url)
    await other.post('/sign-up', { email, password })
    const [verification] = await mailsTo(doors.db, email)
    await visitor.post('/forgot-password', { email })
    const [, reset] = await mailsTo(doors.db, email, 2)
    const form = { token: tokenIn(reset), password: 'battery staple horse' }
    expect(pathOf(await visitor.post('/reset-password', form))).toBe(consent)
    const token = tokenIn(verification)
    expect(pathOf(await visitor.post('/verify-email', { token }))).toBe(consent)
    expect((await visitor.get(consent)).status).toBe(200)
  })

  test('signs in where they have before, and a wrong password loses nothing', async () => {
    const { visitor, consent } = await begin()
    const email = 'again@example.com'
    await visitor.post('/sign-up', { email, password })
    await visitor.post('/sign-out')
    const signIn = pathOf(await visitor.get(consent))
    expect(signIn).toBe(`/sign-in?next=${encodeURIComponent(consent)}`)
    const wrong = await visitor.post('/sign-in', { email, password: 'nope', next: consent })
    expect(wrong.html).toContain('claude.ai wants to book for you.')
    expect(wrong.html).toContain(`name="next" value="${consent}"`)
    expect(pathOf(await visitor.post('/sign-in', { email, password, next: consent }))).toBe(consent)
  })

  test('says no without an account, and signs up later for themselves alone', async () => {
    const begun = await begin()
    const { visitor, consent } = begun
    const { html } = await visitor.get(pathOf(await visitor.get(consent)))
    expect(html).toContain(`<a href="${consent}?answer=cancel">`)
    expect((await visitor.get('/sign-up')).html).not.toContain('claude.ai')
    const page = await visitor.get(`${consent}?answer=cancel`)
    expect(page.html).toContain('Say no to <strong class="host">claude.ai')
    const to = await answer(begun, { answer: 'cancel' })
    expect(to.searchParams.get('error')).toBe('access_denied')
  })

  test('finds a page that says what to do when the request is closed', async () => {
    const person = await openBrowser(doors)
    const begun = await begin(person.cookie)
    await answer(begun, { answer: 'allow', account: person.accountId })
    const stranger = openVisitor(doors.url, person.cookie)
    for (const visitor of [begun.visitor, stranger]) {
      for (const page of [
        await visitor.get(begun.consent),
        await visitor.post(begun.consent, { answer: 'allow', account: person.accountId }),
      ]) {
        expect(page.status).toBe(410)
        expect(page.html).toContain('go back to it and connect again')
      }
    }
  })
})

describe('the consent page', () => {
  test('refuses with a click, and only its own form answers', async () => {
    const person = await openBrowser(doors)
    const begun = await begin(person.cookie)
    const { visitor, consent } = begun
    const allow = { answer: 'allow', account: person.accountId }
    const foreign = await visitor.post(consent, allow, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    const wrong = await visitor.post(consent, { ...allow, account: crypto.randomUUID() })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('Choose an account.')
    const to = await answer(begun, { answer: 'cancel' })
    expect(to.searchParams.get('error')).toBe('access_denied')
    const { rows } = await doors.db.query('select 1 from oauth_grant where developer_id = $1', [
      person.developerId,
    ])
    expect(rows).toEqual([])
  })

  test.each([
    ['https://assistant.example/back', 'We do not know assistant.example.', 'assistant.example'],
    ['http://127.0.0.1:4444/back', 'We cannot tell which program this is.', 'A program on this'],
    ['cursor://anysphere/back', 'We cannot tell which program this is.', 'A program on this'],
  ])('warns of %s', async (redirect, warning, who) => {
    const person = await openBrowser(doors)
    const name = 'x><img src=x>'
    const { visitor, consent } = await begin(person.cookie, { redirect, name })
    const { html, headers } = await visitor.get(consent)
    expect(html).toContain(warning)
    expect(html).toContain(`<strong class="host">${who}`)
    expect(html).not.toContain('<img src=x>')
    const [target] = redirect.split(/(?<=:\/\/[^/]*)\//)
    const allowed = redirect.startsWith('http') ? target : 'cursor:'
    expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${allowed};`)
  })

  test('offers each account, live and test, and gives no more than the role allows', async () => {
    const person = await openBrowser(doors)
    const other = await openBrowser(doors, { tier: 'pro' })
    const member = { accountId: other.accountId, developerId: person.developerId, at: new Date() }
    await insertMember(doors.db, { ...member, role: 'read-only' as Role })
    const begun = await begin(person.cookie, { scope: 'bookings usage' })
    const { html } = await begun.visitor.get(begun.consent)
    expect(html.match(/type="radio"/g)).toHaveLength(4)
    expect(html).toContain('You are read-only here, so it may not hold, book, change and cancel')
    expect(html).toMatch(/Pro: a booking costs [\d.]+ % of the expected spend, on your monthly inv/)
    const plan = `/dashboard/plan?return=${encodeURIComponent(begun.consent)}`
    expect(html).toContain(`nothing pays for it yet. <a href="${plan}">`)
    await answer(begun, { answer: 'allow', account: other.accountId })
    const test = await begin(person.cookie)
    await answer(test, { answer: 'allow', account: `test:${person.accountId}` })
    const { rows } = await doors.db.query(
      `select a.mode, g.scopes from oauth_grant g join account a on a.id = g.account_id
       where g.developer_id = $1 order by g.id`,
      [person.developerId],
    )
    expect(rows).toEqual([
      { mode: 'live', scopes: ['usage'] },
      { mode: 'test', scopes: ['bookings'] },
    ])
  })

  test('is short for a repetition, and asks in full for all else', async () => {
    const person = await openBrowser(doors)
    const redirect = 'https://evil.example/back'
    const { client, visitor } = await connect(person, { redirect, others: [KNOWN_REDIRECT] })
    const list = await person.get('/dashboard/connections')
    expect(list.html).toContain('<span class="quiet">evil.example</span>')
    const open = async (address: string) =>
      (await visitor.get(pathOf(await visitor.get(address)))).html
    const again = await open(client.authorize)
    expect(again).toContain('You allowed this before')
    expect(again).toContain('We do not know evil.example.')
    const local = await connect(person, { redirect: 'http://127.0.0.1:4444/back' })
    for (const address of [
      client.authorize.replace('scope=bookings', 'scope=bookings+usage'),
      client.authorize.replace(encodeURIComponent(redirect), encodeURIComponent(KNOWN_REDIRECT)),
      client.authorize.replace('%2Fapi&', '%2Fmcp&'),
      local.client.authorize,
    ]) {
      expect(address).not.toBe(client.authorize)
      expect(await open(address)).not.toContain('You allowed this before')
    }
  })
})

describe('connected assistants', () => {
  test('are listed beside keys at each door, and end at once', async () => {
    const person = await openBrowser(doors)
    const { access_token } = await connect(person)
    expect(await ping(access_token)).toBe(200)
    const page = await person.get('/dashboard/connections')
    expect(page.html).toContain('<strong>Claude</strong>')
    expect(page.html).toContain('href="/dashboard/bookings?booked_by=Claude"')
    const [path = ''] = /\/dashboard\/connections\/[\da-f-]+\/revoke/.exec(page.html) ?? []
    const question = await person.get(path)
    expect(question.html).toContain('Disconnect Claude?')
    expect(await ping(access_token)).toBe(200)
    expect(pathOf(await person.post(path))).toBe('/dashboard/connections?done=ended')
    expect(await ping(access_token)).toBe(401)
    const none = '/dashboard/connections/x/revoke'
    for (const again of [await person.post(path), await person.get(path), await person.get(none)]) {
      expect(again.status).toBe(404)
      expect(again.html).toContain('it may have ended')
    }
    const audit = await person.get('/dashboard/audit')
    expect(audit.html).toContain('Assistant connected')
    expect(audit.html).toContain('Assistant disconnected')
  })

  test('of others are ended by those who manage keys', async () => {
    const owner = await openBrowser(doors)
    const member = await openBrowser(doors)
    const { developerId } = member
    const { accountId } = owner
    await insertMember(doors.db, { accountId, developerId, role: 'read-only', at: new Date() })
    const begun = await begin(member.cookie)
    await answer(begun, { answer: 'allow', account: accountId })
    await connect(owner)
    const seen = await owner.get('/dashboard/connections')
    const paths = seen.html.match(/\/dashboard\/connections\/[\da-f-]+\/revoke/g) ?? []
    expect(paths).toHaveLength(2)
    await doors.db.query('update developer_session set account_id = $1 where developer_id = $2', [
      accountId,
      developerId,
    ])
    for (const path of paths) await member.post(path, { shown_account: accountId })
    const left = await owner.get('/dashboard/connections')
    expect(left.html.match(/\/revoke/g)).toHaveLength(1)
    const [path = ''] = paths.filter((one) => left.html.includes(one))
    expect(pathOf(await owner.post(path))).toBe('/dashboard/connections?done=ended')
  })

  test('end with a changed password if the person wants it, and with a first proof', async () => {
    const visitor = openVisitor(doors.url)
    const email = 'ends@example.com'
    await visitor.post('/sign-up', { email, password })
    const { rows } = await doors.db.query(
      `select m.account_id from developer d join member m on m.developer_id = d.id
       where d.email = $1`,
      [email],
    )
    const person = { cookie: visitor.cookie(), accountId: rows[0].account_id } as Browser
    const first = await connect(person)
    const form = { password, new_password: 'battery staple horse' }
    await visitor.post('/dashboard/account/password', form)
    expect(await ping(first.access_token)).toBe(200)
    const again = { password: form.new_password, new_password: password, disconnects: 'yes' }
    await visitor.post('/dashboard/account/password', again)
    expect(await ping(first.access_token)).toBe(401)
    const second = await connect({ ...person, cookie: visitor.cookie() })
    await visitor.post('/dashboard/account/sessions/end-others', { disconnects: 'yes' })
    expect(await ping(second.access_token)).toBe(401)
    const third = await connect({ ...person, cookie: visitor.cookie() })
    const stranger = openVisitor(doors.url)
    await stranger.post('/forgot-password', { email })
    const mails = await mailsTo(doors.db, email, 7)
    const token = tokenIn(mails.find((mail) => mail.includes('reset-password?token')))
    await stranger.post('/reset-password', { token, password: 'owner of the address' })
    expect(await ping(third.access_token)).toBe(401)
  })
})
