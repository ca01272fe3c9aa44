import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clockName } from '../../src/clocks/schema/test-clocks.ts'
import { agentCalls } from '../support/agent-calls.ts'
import { everyDoorTo } from '../support/every-door.ts'
import { type Doors, type Holder, openDoors, postEnvelope } from '../support/open-doors.ts'

let doors: Doors
let mine: Holder
let other: Holder
const { call, register, cardOf, ping } = agentCalls(() => doors.url)

beforeAll(async () => {
  doors = await openDoors()
  mine = await doors.openAccount('free')
  other = await doors.openAccount('free')
})
afterAll(() => doors?.close())

describe('an agent', () => {
  test.each(everyDoorTo('agent.register'))(
    'is registered at %s, read, listed, changed and deleted by its account',
    async (door, send) => {
      const name = `dinner-${door.toLowerCase()}`
      const said = await send(doors, mine.key, {
        name,
        description: 'Books dinners',
        capabilities: ['booking', 'booking', 'travel.planning'],
      })
      expect(said.body.agent).toMatchObject({
        id: `agent://${name}`,
        capabilities: ['booking', 'travel.planning'],
        version: '1.0.0',
        visibility: 'public',
        yours: true,
        card_url: `http://127.0.0.1:3000/agents/${name}/.well-known/agent-card.json`,
      })
      const { body: list } = await call(mine, 'GET', '/api/agents')
      expect(list.agents.map((one: any) => one.name)).toContain(name)
      const changed = await call(mine, 'PATCH', `/api/agents/${name}`, {
        version: '2.0.0',
        homepage: 'https://dinner.example',
      })
      expect(changed.body.agent).toMatchObject({ version: '2.0.0', description: 'Books dinners' })
      const gone = await call(mine, 'DELETE', `/api/agents/${name}`)
      expect([gone.status, gone.body]).toEqual([200, { name, deleted: true }])
      expect((await call(mine, 'DELETE', `/api/agents/${name}`)).status).toBe(200)
      const read = await call(mine, 'GET', `/api/agents/${name}`)
      expect([read.status, read.body.code]).toEqual([404, 'agent_not_found'])
    },
  )

  test.each(['\u00a0 ', '\u3164', '\u2800', '\u115f', '\uffff', '\u0301\u0302', '\u2028'])(
    'whose description is only %j is refused, as is a clock with that name',
    async (blank) => {
      const holder = await doors.openAccount('free')
      const { status, body } = await register(holder, 'well-named', { description: blank })
      expect([status, body.errors?.[0].pointer]).toEqual([400, '/description'])
      expect(clockName.safeParse(blank).success).toBe(false)
    },
  )

  test('has addresses that cannot be misread', async () => {
    const homepage = 'https://аpple.example/ä b'.replace(' ', '%20')
    const holder = await doors.openAccount('free')
    const { body } = await register(holder, 'homograph', { homepage })
    expect(body.agent.homepage).toBe('https://xn--pple-43d.example/%C3%A4%20b')
    expect((await register(holder, 'homograph', { homepage })).body.replayed).toBe(true)
  })

  test('registered twice with the same fields is one agent', async () => {
    const first = await register(mine, 'Twice')
    expect([first.status, first.headers.get('location')]).toEqual([201, '/api/agents/Twice'])
    const again = await register(mine, 'Twice')
    expect([again.status, again.body.replayed]).toEqual([200, true])
    expect(again.body.agent).toEqual(first.body.agent)
    const otherwise = await register(mine, 'Twice', { version: '3.0.0' })
    expect([otherwise.status, otherwise.body.code]).toEqual([409, 'agent_name_taken'])
  })

  test('that is private is not found by others, and neither is its card', async () => {
    await register(mine, 'secret-one', { visibility: 'private' })
    expect((await call(mine, 'GET', '/api/agents/secret-one')).body.agent.card_url).toBeNull()
    for (const [method, body] of [['GET'], ['PATCH', { version: '9.9.9' }], ['DELETE']] as const) {
      const said = await call(other, method, '/api/agents/secret-one', body)
      expect([method, said.status, said.body.code]).toEqual([method, 404, 'agent_not_found'])
    }
    expect((await cardOf('secret-one')).status).toBe(404)
    const { body } = await call(null, 'GET', '/api/agents/public?q=secret')
    expect(body.agents).toEqual([])
  })

  test('of another account can be read when public, but not changed', async () => {
    await register(mine, 'open-one')
    const { body } = await call(other, 'GET', '/api/agents/OPEN-one')
    expect(body.agent).toMatchObject({ name: 'open-one', yours: false })
    for (const method of ['PATCH', 'DELETE']) {
      const said = await call(other, method, '/api/agents/open-one', {})
      expect([said.status, said.body.code]).toEqual([404, 'agent_not_found'])
    }
  })

  test('needs a key with the scope `agents`, but not to read public ones or to send', async () => {
    const narrow = await doors.openAccount('free')
    await doors.db.query(`update api_key set scopes = '{usage}' where id = $1`, [narrow.keyId])
    for (const [method, path, body] of [
      ['POST', '/api/agents', { name: 'narrow', description: 'Books dinners' }],
      ['GET', '/api/agents'],
      ['GET', '/api/agents/service'],
      ['PATCH', '/api/agents/narrow', {}],
      ['DELETE', '/api/agents/narrow'],
    ] as const) {
      const said = await call(narrow, method, path, body)
      expect([path, said.status, said.body.code]).toEqual([path, 403, 'scope_required'])
    }
    expect((await call(narrow, 'GET', '/api/agents/public')).status).toBe(200)
    await doors.db.query(`update api_key set scopes = '{agents}' where id = $1`, [narrow.keyId])
    await register(narrow, 'narrow')
    await doors.db.query(`update api_key set scopes = '{}' where id = $1`, [narrow.keyId])
    expect(await ping(narrow, 'agent://narrow')).toEqual([200, 'ok'])
  })

  test.each([
    ...['the-venue-network', 'venue-network-support', 'official-service', 'operators', 'admins'],
    ...['servlce', 'venue-netvvork', 'adrnin', 'officlal', 'help', 'billing', 'pay-ments', 'staff'],
    ...['verified', '5ecurity', 'supp0rt', 'venuenetwork'],
  ])('%s passes for the network, so nobody sends or registers it', async (name) => {
    const holder = await doors.openAccount('free')
    expect(await ping(holder, `agent://${name}`)).toEqual([403, 'agent_mismatch'])
    expect((await register(holder, name)).body.code).toBe('agent_name_reserved')
  })

  test.each(['service', 'Admin', 'venue.network', 'sys-tem', 'public', 'demo', 'my-agent'])(
    'cannot be called %s',
    async (name) => {
      const { status, body } = await register(mine, name)
      expect([status, body.code]).toEqual([422, 'agent_name_reserved'])
    },
  )

  test.each([
    ['name', 'a b'],
    ['name', '-a'],
    ['name', `a${'b'.repeat(100)}`],
    ['description', ''],
    ['description', 'x'.repeat(501)],
    ['capabilities', ['Booking']],
    ['capabilities', ['a--b']],
    ['version', '1.0'],
    ['homepage', 'javascript:alert(1)'],
    ['a2a_url', 'https://user:pass@agent.example/'],
    ['mcp_url', 'not a url'],
    ['visibility', 'hidden'],
    ['homepage', 'https://agent.example/\u202egpj.exe'],
    ['homepage', 'https://agent.\u200bexample/'],
    ['a2a_url', 'https://agent.example/\ta'],
  ])('whose %s is %j is refused', async (field, value) => {
    const { status, body } = await register(mine, 'well-named', { [field]: value })
    expect([status, body.code]).toEqual([400, 'invalid_request'])
    expect(body.errors[0].pointer).toMatch(new RegExp(`^/${field}`))
  })
})

describe('a name', () => {
  test('goes to only one of many concurrent registrations, whatever its case', async () => {
    const holders = await Promise.all(Array.from({ length: 8 }, () => doors.openAccount('free')))
    const said = await Promise.all(
      holders.map((holder, index) => register(holder, index % 2 ? 'Wanted' : 'wanted')),
    )
    expect(said.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect(said.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(
      Array(7).fill('agent_name_taken'),
    )
  })

  test('stays with its account after the agent is deleted', async () => {
    await register(mine, 'once-mine')
    await call(mine, 'DELETE', '/api/agents/once-mine')
    expect((await register(other, 'Once-Mine')).body.code).toBe('agent_name_taken')
    expect(await ping(other, 'agent://once-mine')).toEqual([403, 'agent_mismatch'])
    expect((await register(mine, 'once-mine', { version: '2.0.0' })).status).toBe(201)
  })

  test('that another account sends cannot be taken from its first call on', async () => {
    expect(await ping(other, 'agent://acme-concierge')).toEqual([200, 'ok'])
    for (const name of ['acme-concierge', 'Acme-Concierge']) {
      const { status, body } = await register(mine, name)
      expect([status, body.code]).toEqual([409, 'agent_name_taken'])
      expect(body.detail).toContain('Another account has sent this name')
    }
    expect(await ping(other, 'agent://acme-concierge')).toEqual([200, 'ok'])
    expect((await register(other, 'acme-concierge')).status).toBe(201)
  })

  test('is either registered or sent by another account, never both', async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = `contended-${round}`
      const [registered, [sent]] = await Promise.all([
        register(mine, name),
        ping(other, `agent://${name}`),
      ])
      expect([
        [201, 403],
        [409, 200],
      ]).toContainEqual([registered.status, sent])
      expect(await ping(other, `agent://${name}`)).toEqual(
        sent === 200 ? [200, 'ok'] : [403, 'agent_mismatch'],
      )
    }
  })

  test('can be registered by another account 30 days after its last call', async () => {
    expect(await ping(other, 'agent://once-sent')).toEqual([200, 'ok'])
    const lastSent = (ago: string) =>
      doors.db.query(
        `update agent_name set used_at = now() - $1::interval where name = 'once-sent'`,
        [ago],
      )
    await lastSent('29 days 23 hours')
    expect((await register(mine, 'once-sent')).body.code).toBe('agent_name_taken')
    await lastSent('30 days 1 minute')
    expect((await register(mine, 'once-sent')).status).toBe(201)
    expect(await ping(other, 'agent://once-sent')).toEqual([403, 'agent_mismatch'])
  })

  test('is one of at most 50 per account, even with concurrent registrations', async () => {
    const eager = await doors.openAccount('free', 1000)
    const said = await Promise.all(
      Array.from({ length: 55 }, (_, index) => register(eager, `eager-${index}`)),
    )
    expect(said.filter(({ status }) => status === 201)).toHaveLength(50)
    expect(said.filter(({ body }) => body.code === 'agent_limit')).toHaveLength(5)
  })
})

describe('a sender', () => {
  test('that is registered can be used only by its account from then on', async () => {
    expect(await ping(mine, 'agent://speaker')).toEqual([200, 'ok'])
    expect((await register(mine, 'speaker')).status).toBe(201)
    expect(await ping(other, 'agent://speaker')).toEqual([403, 'agent_mismatch'])
    expect(await ping(other, 'agent://SPEAKER')).toEqual([403, 'agent_mismatch'])
    expect(await ping(mine, 'agent://Speaker')).toEqual([200, 'ok'])
  })

  test('that is private, or the network’s own, cannot be used by others either', async () => {
    await register(mine, 'quiet-speaker', { visibility: 'private' })
    expect(await ping(other, 'agent://quiet-speaker')).toEqual([403, 'agent_mismatch'])
    for (const ours of ['service', 'Venue-Network', 'adm1n', 'supp0rt']) {
      expect(await ping(mine, `agent://${ours}`)).toEqual([403, 'agent_mismatch'])
    }
    expect(await ping(mine, 'agent://concierge-service')).toEqual([403, 'agent_mismatch'])
  })

  test('that is registered needs a key where other callers need none', async () => {
    await register(mine, 'keyed-speaker')
    const list = (from: string) =>
      postEnvelope(doors.url, null, { from, intent: 'agent.list' }).then(({ status }) => status)
    expect(await list('agent://keyed-speaker')).toBe(403)
    expect(await list('agent://nobody-knows')).toBe(200)
  })
})
