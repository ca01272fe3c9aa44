import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteMember } from '../../src/accounts/store/members.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
import { KNOWN_REDIRECT, openIndependentClient, PUBLIC_URL, REDIRECT } from '../support/oauth.ts'
import { addKey, bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'
import { watchRoundTrips } from '../support/round-trips.ts'

let doors: Doors
let oauth: ReturnType<typeof openIndependentClient>
let person: Browser

beforeAll(async () => {
  doors = await openDoors()
  oauth = openIndependentClient(doors)
  person = await openBrowser(doors)
})
afterAll(() => doors.close())

const readPlan = (token: string) => fetch(`${doors.url}/api/plan`, { headers: bearer(token) })
const callMcp = (token: string) =>
  fetch(`${doors.url}/mcp`, {
    method: 'POST',
    headers: {
      ...bearer(token),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_account', arguments: { action: 'plan' } },
    }),
  })
const api = { resource: `${PUBLIC_URL}/api`, scope: 'usage' }
const grants = async () => (await doors.db.query('select id from oauth_grant')).rowCount

test('a client finds the server, signs a person in and calls the door that it named', async () => {
  const resource = await jsonOf(
    await fetch(`${doors.url}/.well-known/oauth-protected-resource/mcp`),
  )
  expect(resource).toMatchObject({
    resource: `${PUBLIC_URL}/mcp`,
    authorization_servers: [PUBLIC_URL],
  })
  const server = await oauth.discover()
  expect(server.code_challenge_methods_supported).toEqual(['S256'])
  expect(server).not.toHaveProperty('subject_types_supported')

  const own = await oauth.register()
  expect(own).not.toHaveProperty('client_secret')
  const asked = await oauth.authorize(own, {
    scope: 'openid bookings keys',
    ...{ resource: resource.resource },
  })
  expect(asked.location).toMatch(/^\/oauth\/consent\/[\w-]+$/)
  const back = await oauth.answer(asked, person)
  expect(back.location.startsWith(REDIRECT)).toBe(true)
  expect(back.params.get('iss')).toBe(PUBLIC_URL)
  expect(back.jar.has('oauth_session')).toBe(false)
  const tokens = await oauth.exchange(own, back)
  expect(tokens).toMatchObject({ scope: 'bookings', expires_in: 900 })

  expect(await (await callMcp(tokens.access_token)).text()).toContain('required_scope')
  const elsewhere = await readPlan(tokens.access_token)
  expect(elsewhere.status).toBe(401)
  expect((await jsonOf(elsewhere)).detail).toMatch(/meant for another address/)
  const stored = JSON.stringify((await doors.db.query('select * from oauth_artifact')).rows)
  for (const secret of [tokens.access_token, tokens.refresh_token, back.params.get('code')]) {
    expect(stored).not.toContain(secret)
    expect(doors.logged()).not.toContain(secret)
  }
})

test('what OAuth 2.1 forbids is refused', async () => {
  const own = await oauth.register()
  const answerOf = async (more: Record<string, string | undefined>) => {
    const { location, status, body } = await oauth.authorize(own, { more })
    const [at, error = null] = location.split(/[?#](?:error=)?/)
    return { status, body, at, error: error?.split('&')[0] }
  }
  const refused = (error: string) => ({ status: 303, error, at: REDIRECT })
  expect(
    await answerOf({ code_challenge: undefined, code_challenge_method: undefined }),
  ).toMatchObject(refused('invalid_request'))
  expect(await answerOf({ code_challenge_method: 'plain' })).toMatchObject(
    refused('invalid_request'),
  )
  expect(await answerOf({ resource: 'https://other.example/mcp' })).toMatchObject(
    refused('invalid_target'),
  )
  expect(await answerOf({ response_type: 'token' })).toMatchObject(
    refused('unsupported_response_type'),
  )
  expect(await answerOf({ prompt: 'none' })).toMatchObject(refused('consent_required'))
  for (const redirect_uri of ['http://127.0.0.1:41999/other', 'https://evil.example/callback']) {
    const { status, error, body } = await answerOf({ redirect_uri })
    expect([status, error]).toEqual([400, undefined])
    expect(body).toContain('Go back to the program')
  }
  const far = 'https://evil.example/callback'
  const stranger = await oauth.register({ redirect_uris: [far] })
  for (const more of [{ prompt: 'none' }, { resource: 'https://x' }, { code_challenge: '' }]) {
    const { status, location, body } = await oauth.authorize(stranger, { redirect: far, more })
    expect([status, location]).toEqual([400, ''])
    expect(body).toContain('Go back to the program')
  }
  // The address of an answer, without an answer.
  for (const [path, more] of [
    ['/', { prompt: 'none' }],
    ['/%20', {}],
    [`/${'x'.repeat(43)}`, { response_mode: 'form_post' }],
  ] as const) {
    const { address } = await oauth.prepare(stranger, { redirect: far, more })
    address.pathname += path
    const { status, location, body } = await oauth.visit(String(address), new Map())
    expect([status, location], path).toEqual([400, ''])
    expect(body).not.toContain('evil.example')
  }
  const { at } = await answerOf({ redirect_uri: 'http://127.0.0.1:5/callback' })
  expect(at).toMatch(/^\/oauth\/consent/)
  for (const uri of ['http://assistant.example/callback', 'javascript:alert(1)']) {
    await expect(oauth.register({ redirect_uris: [uri] })).rejects.toThrow()
  }
  await expect(oauth.register({ redirect_uris: ['cursor://mcp/callback'] })).resolves.toBeDefined()
})

test('a person can say no, answer twice, and use two tabs', async () => {
  const own = await oauth.register()
  const tabs = [await oauth.authorize(own), await oauth.authorize(own)] as const
  const jar = new Map([...tabs[0].jar, ...tabs[1].jar])
  const no = await oauth.answer({ ...tabs[1], jar: tabs[1].jar }, person, 'cancel')
  expect(no.params.get('error')).toBe('access_denied')
  const yes = await oauth.answer({ ...tabs[0], jar: tabs[0].jar }, person)
  expect(yes.params.get('code')).toBeTruthy()
  expect(jar.size).toBe(4)
  const again = await oauth.visit(yes.resumed, yes.jar)
  expect([again.status, again.location]).toEqual([400, ''])
  const twice = await oauth.authorize(own)
  const before = Number(await grants())
  const both = await Promise.allSettled([1, 2].map(() => oauth.answer(twice, person)))
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await grants()).toBe(before + 1)
  const late = await oauth.visit(PUBLIC_URL + tabs[0].location, tabs[0].jar, person.cookie)
  expect(late.status).toBe(410)
})

test('a code that comes twice ends what it gave', async () => {
  const own = await oauth.register()
  const back = await oauth.answer(await oauth.authorize(own, api), person)
  const { access_token } = await oauth.exchange(own, back)
  expect((await readPlan(access_token)).status).toBe(200)
  await expect(oauth.exchange(own, back)).rejects.toThrow()
  expect((await readPlan(access_token)).status).toBe(401)
})

test('a refresh token that comes twice ends the family, and the person is told', async () => {
  const own = await oauth.register({ client_name: 'Copied' })
  const first = await oauth.signIn(own, person, api)
  const second = await oauth.refresh(own, String(first.refresh_token))
  expect((await readPlan(second.access_token)).status).toBe(200)
  await expect(oauth.refresh(own, String(first.refresh_token))).rejects.toThrow()
  expect((await readPlan(second.access_token)).status).toBe(401)
  await expect(oauth.refresh(own, String(second.refresh_token))).rejects.toThrow()
  const { rows } = await doors.db.query('select recipient from mail where body like $1', [
    'Copied used a sign-in%',
  ])
  expect(rows).toMatchObject([{ recipient: person.email }])

  const race = await oauth.signIn(own, person, api)
  const token = String(race.refresh_token)
  const both = await Promise.allSettled([oauth.refresh(own, token), oauth.refresh(own, token)])
  expect(both.map(({ status }) => status)).toContain('rejected')
  expect((await readPlan(race.access_token)).status).toBe(401)
})

test('the next call ends with the membership, the scope, the account and the token', async () => {
  const own = await oauth.register()
  const call = async (token: string) => {
    const answer = await fetch(`${doors.url}/api/webhooks`, { headers: bearer(token) })
    return [answer.status, (await jsonOf(answer)).code]
  }
  const scope = 'webhooks usage'
  const member = await openMember(doors, person.accountId, 'developer')
  const { access_token } = await oauth.signIn(own, member, { ...api, scope })
  expect(await call(access_token)).toEqual([200, undefined])
  await doors.db.query(`update member set role = 'read-only' where developer_id = $1`, [
    member.developerId,
  ])
  expect(await call(access_token)).toEqual([403, 'scope_required'])
  const refused = await fetch(`${doors.url}/api/webhooks`, { headers: bearer(access_token) })
  expect(refused.headers.get('www-authenticate')).toBeNull()
  expect((await jsonOf(refused)).detail).toMatch(/is read-only .+ Signing in again changes nothing/)
  await deleteMember(doors.db, person.accountId, member.developerId)
  expect(await call(access_token)).toEqual([401, 'unauthenticated'])

  const reader = await openMember(doors, person.accountId, 'read-only')
  expect(await oauth.signIn(own, reader, { ...api, scope })).toMatchObject({ scope: 'usage' })

  const other = await openBrowser(doors)
  const taken = await oauth.signIn(own, other, { ...api, scope })
  await doors.db.query(`update oauth_grant set scopes = '{usage}' where developer_id = $1`, [
    other.developerId,
  ])
  expect(await call(taken.access_token)).toEqual([403, 'scope_required'])
  await doors.db.query(
    `update account set suspended_at = now(), suspended_reason = 'unpaid' where id = $1`,
    [other.accountId],
  )
  expect(await call(taken.access_token)).toEqual([403, 'account_suspended'])

  const revoked = await oauth.signIn(own, person, api)
  const before = await grants()
  await oauth.revoke(own, revoked.access_token)
  expect((await readPlan(revoked.access_token)).status).toBe(401)
  await oauth.revoke(own, String(revoked.refresh_token))
  expect(await grants()).toBe(Number(before) - 1)
})

test('the page that ends a refusal leads back to the assistant, for its own member', async () => {
  const names = { client_name: 'Claude', redirect_uris: [KNOWN_REDIRECT] }
  const own = await oauth.register(names)
  const options = { ...api, scope: 'bookings', redirect: KNOWN_REDIRECT }
  const { access_token } = await oauth.signIn(own, person, options)
  const hold = { method: 'POST', headers: bearer(access_token) }
  const refused = await jsonOf(await fetch(`${doors.url}/api/holds`, hold))
  const { pathname, search } = new URL(refused.plan_url)
  const [, id = ''] = /^\?assistant=([\da-f-]{36})$/.exec(search) ?? []
  expect(refused.detail).toContain(`${pathname}?assistant=${id}`)
  const back = '<a class="button second" href="https://claude.ai">Back to Claude</a>'
  const plan = await person.get(pathname + search)
  expect(plan.html).toContain(back)
  const [cookie = ''] = plan.headers.getSetCookie()[0]?.split(';') ?? []
  expect(cookie).toBe(`venue_assistant=${id}`)
  const later = { cookie: `${person.cookie}; ${cookie}` }
  expect((await person.get(`${pathname}?done=card`, later)).html).toContain(back)
  const other = await (await openBrowser(doors)).get(pathname + search)
  expect([other.html.includes('Claude'), other.headers.getSetCookie()]).toEqual([false, []])
})

test('a token costs a call no round trip more than a key', async () => {
  const own = await oauth.register()
  const { access_token } = await oauth.signIn(own, person, { ...api, scope: 'webhooks' })
  const { key } = await addKey(doors.db, person.accountId)
  const { take, stop } = watchRoundTrips()
  const tripsOf = async (secret: string) => {
    const counts: number[] = []
    for (let nth = 0; nth < 4; nth += 1) {
      take()
      const answer = await fetch(`${doors.url}/api/webhooks`, { headers: bearer(secret) })
      expect(answer.status).toBe(200)
      counts.push(take().length)
    }
    return Math.min(...counts)
  }
  expect(await tripsOf(access_token)).toBe(await tripsOf(key))
  stop()
})
