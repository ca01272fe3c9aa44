import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Scope, scopes } from '../../src/base/scopes.ts'
import { catalogue } from '../../src/network.ts'
import { callsAt, webhookDoors } from '../support/endpoint-calls.ts'
import {
  addKey,
  bearer,
  type Doors,
  type Holder,
  jsonOf,
  openDoors,
} from '../support/open-doors.ts'

let doors: Doors
let holder: Holder

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())
beforeEach(async () => {
  holder = await doors.openAccount('pro')
})

const ping = async (key: string): Promise<number> =>
  (await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })).status

const keyWith = async (given: readonly Scope[]) => {
  const added = await addKey(doors.db, holder.accountId)
  await doors.db.query('update api_key set scopes = $2 where id = $1', [added.keyId, given])
  return added
}

/** A REST GET has its input in the address, so only the path parameters are sent. */
const inPath = ({ id }: Record<string, unknown>): Record<string, unknown> => ({ id })

const scoped = catalogue.filter(({ operation }) => operation.scope)
const inputOf = (example: Record<string, unknown>) => example

test.each(scoped.map((one) => [one.a2a, one] as const))(
  '%s is refused to a key without its scope, by REST and A2A alike',
  async (intent, { operation, example }) => {
    const { key } = await keyWith(scopes.filter((scope) => scope !== operation.scope))
    for (const door of webhookDoors) {
      const call = callsAt(
        door,
        () => doors,
        () => ({ key }),
      )
      const said = await call(intent, door === 'REST' ? inPath(example) : inputOf(example))
      expect([said.code, said.body.required_scope]).toEqual(['scope_required', operation.scope])
    }
  },
)

const body = { venue_id: randomUUID(), slot_time: '2099-01-01T19:00:00', party_size: 2 }
const book = (key: string) =>
  fetch(`${doors.url}/api/bookings`, {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('a key without scopes can read but not change anything', async () => {
  const { key } = await keyWith([])
  expect(await ping(key)).toBe(200)
  for (const path of ['/api/venues/search?q=sushi', '/api/bookings', '/api/events']) {
    expect((await fetch(doors.url + path, { headers: bearer(key) })).status).toBe(200)
  }
  const changes = catalogue.filter(({ rest, operation }) => {
    return (
      !rest.route.startsWith('GET ') && operation.scope === undefined && operation.tier !== 'open'
    )
  })
  expect(changes.map(({ rest }) => rest.route)).toEqual([])
  expect((await book(key)).status).toBe(403)
})

test('a key can do everything but book, or book and nothing else', async () => {
  const { key } = await keyWith(scopes.filter((scope) => scope !== 'bookings'))
  const refused = await jsonOf(await book(key))
  expect(refused).toMatchObject({ code: 'scope_required', required_scope: 'bookings' })
  const usage = (with_: string) =>
    fetch(`${doors.url}/api/usage`, { headers: bearer(with_) }).then(({ status }) => status)
  expect(await usage(key)).toBe(200)
  const { key: books } = await keyWith(['bookings'])
  expect((await jsonOf(await book(books))).code).toBe('venue_not_found')
  expect(await usage(books)).toBe(403)
})

test('OpenAPI states the scope that an operation needs', async () => {
  const { paths } = await jsonOf(await fetch(`${doors.url}/openapi.json`))
  expect(paths['/api/keys'].post.security).toEqual([{ apiKey: ['keys'] }])
  expect(paths['/api/keys'].post['x-refusals']).toContain('scope_required')
  expect(paths['/api/bookings'].get.security).toEqual([{ apiKey: [] }, { signIn: [] }])
})
