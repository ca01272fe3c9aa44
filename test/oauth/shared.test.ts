import { afterAll, beforeAll, expect, test } from 'vitest'
import { rewrap } from '../../src/commands/rewrap.ts'
import { oauth as room } from '../../src/oauth/room.ts'
import { upsertClient } from '../../src/oauth/store/clients.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { type IndependentClient, openIndependentClient, PUBLIC_URL } from '../support/oauth.ts'
import { bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'

const [old = '', next = ''] = [newSealingKey(), newSealingKey()]
const sealerOf = (keys: string) => createSealer(parseSealingKeys(keys) ?? [])
const api = { resource: `${PUBLIC_URL}/api`, scope: 'usage' }

let doors: Doors
let rotated: Doors
let oauth: IndependentClient
let other: IndependentClient
let person: Browser
beforeAll(async () => {
  const limits = { OAUTH_REGISTRATIONS_PER_DAY: '8' }
  doors = await openDoors(limits, undefined, undefined, {}, { sealer: sealerOf(old) })
  const { connectionString = '' } = doors.db.options
  rotated = await openDoors(
    limits,
    async () => connectionString,
    undefined,
    {},
    {
      sealer: sealerOf(`${next},${old}`),
    },
  )
  oauth = openIndependentClient(doors)
  other = openIndependentClient(rotated)
  person = await openBrowser(doors)
})
afterAll(async () => {
  await rotated.close()
  await doors.close()
})

test('another process with rotated keys continues at every step', async () => {
  const own = await oauth.register({ token_endpoint_auth_method: 'client_secret_basic' })
  expect(own.client_secret).toBeTruthy()
  const asked = await oauth.authorize(own, api)
  const back = await other.answer(asked, person)
  const tokens = await other.exchange(own, back)
  const plan = await fetch(`${doors.url}/api/plan`, { headers: bearer(tokens.access_token) })
  expect(plan.status).toBe(200)

  await rewrap(doors.db, sealerOf(`${next},${old}`), () => {})
  const { rows } = await doors.db.query(
    `select payload as sealed from oauth_artifact
     union all select secret from oauth_client where secret is not null`,
  )
  const keyId = next.split(':')[0]
  expect(rows.every(({ sealed }) => sealed.startsWith(`v2.${keyId}.`))).toBe(true)
  const newer = await other.refresh(own, String(tokens.refresh_token))
  await expect(oauth.refresh(own, String(newer.refresh_token))).rejects.toThrow()
  await expect(other.refresh(own, String(newer.refresh_token))).resolves.toBeDefined()
  const keys = async ({ url }: Doors) => (await jsonOf(await fetch(`${url}/oauth/jwks`))).keys
  const [current] = await keys(doors)
  expect(await keys(rotated)).toMatchObject([{ kty: 'OKP' }, { x: current.x }])
})

test('only a client of operators sees whose a token is', async () => {
  const own = await oauth.register()
  const { access_token } = await oauth.signIn(own, person, api)
  const introspect = async (client: string, secret: string) => {
    const credentials = Buffer.from(`${client}:${secret}`).toString('base64')
    const answer = await fetch(`${doors.url}/oauth/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ token: access_token }),
    })
    return jsonOf(answer)
  }
  const common = { token_endpoint_auth_method: 'client_secret_basic', client_secret: 'secret' }
  const gateway = { ...common, redirect_uris: [], grant_types: [], response_types: [] }
  const partner = { ...common, redirect_uris: ['https://partner.example/callback'] }
  await upsertClient(doors.db, doors.sealer, 'gateway', gateway, new Date())
  await upsertClient(doors.db, doors.sealer, 'partner', partner, new Date())
  expect(await introspect('gateway', 'secret')).toMatchObject({
    active: true,
    sub: person.developerId,
    aud: `${PUBLIC_URL}/api`,
    scope: 'usage',
    account_id: person.accountId,
    mode: 'live',
  })
  const change = (statement: string) => doors.db.query(statement, [person.accountId])
  await change(`update member set role = 'billing' where account_id = $1`)
  await change(`update oauth_grant set scopes = '{usage,bookings}' where account_id = $1`)
  expect(await introspect('gateway', 'secret')).toMatchObject({ scope: 'usage' })
  await change(`update account set suspended_at = now(), suspended_reason = 'x' where id = $1`)
  expect(await introspect('gateway', 'secret')).toEqual({ active: false })
  await change(`update account set suspended_at = null, suspended_reason = null where id = $1`)
  await change(`update member set role = 'owner' where account_id = $1`)
  expect(await introspect('partner', 'secret')).toEqual({ active: false })
  expect(await introspect('gateway', 'guess')).toMatchObject({ error: 'invalid_client' })
})

test('registrations are counted by address, and unused ones do not stay', async () => {
  const kept = await oauth.register()
  await oauth.signIn(kept, person, api)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      fetch(`${doors.url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: ['http://localhost/callback'] }),
      }),
    ),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(12)
  expect((await jsonOf(refused[0] as Response)).code).toBe('too_many_tries')

  const count = async (table: string, where = 'true') =>
    (await doors.db.query(`select from ${table} where ${where}`)).rowCount
  const sweep = room.sweep({ db: doors.db, log: createLog('silent') })
  const passesAt = async (at: Date) => {
    for (const pass of Object.values(sweep)) await pass(at)
  }
  await passesAt(new Date())
  expect(await count('oauth_grant')).toBeGreaterThan(0)
  await passesAt(new Date(Date.now() + 59 * 86_400_000))
  expect(await count('oauth_client', `client_id = '${kept.client_id}'`)).toBe(1)
  expect(await count('oauth_artifact', `kind <> 'RefreshToken'`)).toBe(0)
  await passesAt(new Date(Date.now() + 61 * 86_400_000))
  expect(await count('oauth_grant')).toBe(0)
  expect(await count('oauth_artifact')).toBe(0)
  expect(await count('oauth_client', `client_id = '${kept.client_id}'`)).toBe(1)
  await passesAt(new Date(Date.now() + 181 * 86_400_000))
  expect(await count('oauth_client')).toBe(2)
})

test('cookies belong to one request, and failures at the token endpoint are limited', async () => {
  const publicUrl = 'https://n.example'
  const { connectionString = '' } = doors.db.options
  const limits = { OPEN_REQUESTS_PER_MINUTE: '3' }
  const secure = await openDoors(limits, async () => connectionString, publicUrl)
  try {
    const client = openIndependentClient({ url: secure.url, publicUrl })
    const own = await client.register()
    const { headers, location } = await client.authorize(own, { resource: `${publicUrl}/mcp` })
    const cookies = headers.getSetCookie()
    expect(cookies).toHaveLength(4)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Secure-oauth_(request|answer)(\.sig)?=/)
      expect(cookie).toMatch(/; secure; httponly$|; samesite=lax; secure; httponly/i)
      expect(cookie).toContain(location.replace('/oauth/consent', ''))
    }
    const fields = { client_id: own.client_id, grant_type: 'refresh_token', refresh_token: 'x' }
    const body = new URLSearchParams(fields)
    const statuses: number[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      statuses.push((await fetch(`${secure.url}/oauth/token`, { method: 'POST', body })).status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 429])
  } finally {
    await secure.close()
  }
})
