import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditActions } from '../../src/base/audit-actions.ts'
import { catalogue } from '../../src/network.ts'
import { type Owner, openOwner } from '../support/belongings.ts'
import { openVisitor } from '../support/developers.ts'
import { everyDoorTo } from '../support/every-door.ts'
import { bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'

let doors: Doors
let owner: Owner
beforeAll(async () => {
  doors = await openDoors({
    OPEN_REQUESTS_PER_MINUTE: '100000',
    FREE_REQUESTS_PER_DAY: '100000',
    PAYMENTS: 'local',
  })
  owner = await openOwner(doors, 3)
})
afterAll(() => doors?.close())

/** Operations that change something other than the account. */
const others = new Set([
  // only send what already exists
  'webhook.verify',
  'webhook.test',
  'delivery.retry',
  // payments are listed with their author
  'payment.create',
])
const changing = catalogue.filter(
  ({ operation, rest, a2a }) =>
    !rest.route.startsWith('GET') &&
    (operation.scope !== 'bookings' || operation.audit) &&
    !others.has(a2a),
)

test('every operation that changes an account names its entry in the audit log', () => {
  expect(changing.length).toBeGreaterThan(20)
  expect(changing.filter(({ operation }) => !operation.audit).map(({ a2a }) => a2a)).toEqual([])
  const audited = catalogue.filter(({ operation }) => operation.audit)
  expect(audited.map(({ a2a }) => a2a)).toEqual(changing.map(({ a2a }) => a2a))
})

type Input = Record<string, unknown>

/** A call of each changing operation, in an order in which each call has an effect. */
const calls: [intent: string, input: (things: Owner['things']) => Input][] = [
  ['key.create', () => ({ name: 'new' })],
  ['key.update', ({ key }) => ({ id: key, name: 'renamed' })],
  ['key.roll', ({ key }) => ({ id: key })],
  ['key.revoke', ({ key }) => ({ id: key })],
  ['connection.revoke', ({ connection }) => ({ id: connection })],
  ['plan.change', () => ({ tier: 'free' })],
  ['payment.card', () => ({})],
  ['request.record', () => ({ bodies: false })],
  ['agent.register', () => ({ name: 'audited-agent', description: 'one' })],
  ['agent.update', () => ({ name: 'audited-agent', description: 'two' })],
  ['agent.delete', () => ({ name: 'audited-agent' })],
  ['webhook.create', () => ({ url: 'https://hooks.example/new', headers: { 'x-key': 'hidden!' } })],
  ['delivery.retry_many', ({ delivery }) => ({ deliveries: [delivery] })],
  ['replay.pause', ({ replay }) => ({ id: replay })],
  ['replay.resume', ({ replay }) => ({ id: replay })],
  ['replay.cancel', ({ replay }) => ({ id: replay })],
  ['replay.create', ({ endpoint, event }) => ({ id: endpoint, events: [event] })],
  ['clock.create', () => ({ name: 'new' })],
  ['clock.delete', ({ clock }) => ({ id: clock })],
  ['webhook.update', ({ endpoint: id }) => ({ id, description: 'new' })],
  ['webhook.rotate', ({ endpoint: id }) => ({ id, staged: true })],
  ['webhook.activate', ({ endpoint: id }) => ({ id, force: true })],
  ['webhook.revoke', ({ endpoint: id }) => ({ id })],
  ['webhook.pause', ({ endpoint: id }) => ({ id })],
  ['webhook.resume', ({ endpoint: id }) => ({ id })],
  ['webhook.disable', ({ endpoint: id }) => ({ id })],
  ['webhook.enable', ({ endpoint: id }) => ({ id })],
  ['webhook.delete', ({ endpoint: id }) => ({ id })],
]

const list = async (query = '', key = owner.key) =>
  jsonOf(await fetch(`${doors.url}/api/audit?limit=100${query}`, { headers: bearer(key) }))

describe('a call of a changing operation', () => {
  test('is tested for each such operation', () => {
    expect(calls.map(([intent]) => intent).toSorted()).toEqual(
      changing.map(({ a2a }) => a2a).toSorted(),
    )
  })

  test.each(calls)('%s adds its entry with key and address', async (intent, inputOf) => {
    const [, [, send] = []] = everyDoorTo(intent)
    const before = (await list()).entries.length
    const said = await send?.(doors, owner.key, inputOf(owner.things))
    expect(said).toMatchObject({ code: 'ok' })
    const { entries } = await list()
    expect(entries.length).toBe(before + 1)
    expect(entries[0]).toMatchObject({
      action: catalogue.find(({ a2a }) => a2a === intent)?.operation.audit,
      actor: { kind: 'key', name: `key of ${owner.accountId}` },
      door: 'a2a',
      address: '127.0.0.1',
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('that changes nothing adds no entry', async () => {
    const before = (await list()).entries.length
    for (const intent of ['key.revoke', 'webhook.delete', 'plan.change', 'agent.delete']) {
      const input = calls.find(([name]) => name === intent)?.[1](owner.things) ?? {}
      const [[, send] = []] = everyDoorTo(intent)
      expect((await send?.(doors, owner.key, input))?.code).toBe('ok')
    }
    expect((await list()).entries.length).toBe(before)
  })
})

test('entries contain no secrets, and only actions that have a description', async () => {
  const { entries } = await list()
  expect(JSON.stringify(entries)).not.toMatch(/whsec_|vn_[A-Za-z0-9]{20}|hidden!/)
  for (const { action } of entries) expect(Object.keys(auditActions)).toContain(action)
})

test('the list is filtered by action, kind, object and time, and paged by cursor', async () => {
  const actionsOf = async (query: string) =>
    (await list(query)).entries.map(({ action }: { action: string }) => action)
  expect(await actionsOf('&action=key.created')).toEqual(['key.created'])
  expect(await actionsOf('&action=key')).toEqual([
    'key.revoked',
    'key.rolled',
    'key.updated',
    'key.created',
  ])
  expect(await actionsOf(`&object=${owner.things.replay}`)).toEqual([
    'replay.cancelled',
    'replay.resumed',
    'replay.paused',
  ])
  expect(await actionsOf('&until=2020-01-01T00:00:00Z')).toEqual([])
  const all = await actionsOf('')
  const paged: string[] = []
  for (let cursor = ''; ; ) {
    const url = `${doors.url}/api/audit?limit=5${cursor && `&cursor=${cursor}`}`
    const { entries, next_cursor } = await jsonOf(await fetch(url, { headers: bearer(owner.key) }))
    paged.push(...entries.map(({ action }: { action: string }) => action))
    if (!next_cursor) break
    cursor = next_cursor
  }
  expect(paged).toEqual(all)
})

test('a key without the scope `keys` does not see it', async () => {
  const { key } = await doors.openAccount('free')
  expect(await list('', key)).toMatchObject({ code: 'scope_required', required_scope: 'keys' })
})

test('sign-ups, sign-ins, password changes and sign-outs name the developer', async () => {
  const visitor = openVisitor(doors.url)
  const credentials = { email: 'audited@example.com', password: 'correct horse' }
  await visitor.post('/sign-up', credentials)
  await visitor.post('/sign-out')
  await visitor.post('/sign-in', credentials)
  const change = { password: credentials.password, new_password: 'battery staple' }
  await visitor.post('/dashboard/account/password', change)
  await visitor.post('/dashboard/keys', { name: 'by hand', form: crypto.randomUUID() })
  const { rows } = await doors.db.query(
    `select action, actor_kind, actor_name, door from audit_entry
     where account_id = (select m.account_id from developer d join member m on m.developer_id = d.id
       where d.email = $1) order by at, action`,
    [credentials.email],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'account.created',
    'session.started',
    'session.ended',
    'session.started',
    'password.changed',
    'session.started',
    'key.created',
  ])
  for (const row of rows) {
    expect(row).toMatchObject({ actor_kind: 'member', actor_name: credentials.email })
  }
  const { html } = await visitor.get('/dashboard/audit?action=key')
  expect(html).toContain('Key created')
  expect(html).toContain('audited@example.com')
  expect(html).toContain('by hand')
})

test('an entry cannot be changed, and a refused change adds none', async () => {
  await expect(doors.db.query(`update audit_entry set actor_name = 'me'`)).rejects.toThrow(
    'never changed',
  )
  const before = (await list()).entries.length
  const [[, send] = []] = everyDoorTo('key.roll')
  const said = await send?.(doors, owner.key, { id: owner.things.key })
  expect(said?.code).toBe('key_ended')
  expect((await list()).entries.length).toBe(before)
})
