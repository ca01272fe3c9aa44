import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentCard } from '../../src/agents/schema/agents.ts'
import { agentCalls } from '../support/agent-calls.ts'
import { type Doors, type Holder, jsonOf, openDoors } from '../support/open-doors.ts'

let doors: Doors
let mine: Holder
const { call, register, cardOf } = agentCalls(() => doors.url)

beforeAll(async () => {
  doors = await openDoors()
  mine = await doors.openAccount('free')
})
afterAll(() => doors?.close())

describe('the card of a public agent', () => {
  test('has the fields of the specification, like the network’s own', async () => {
    await register(mine, 'carded', {
      capabilities: ['booking'],
      a2a_url: 'https://carded.example/a2a',
      homepage: 'https://carded.example/',
    })
    const { headers, body } = await cardOf('carded')
    expect(agentCard.parse(body)).toEqual({
      id: 'agent://carded',
      name: 'carded',
      description: 'Books dinners',
      capabilities: ['booking'],
      protocols: ['a2a'],
      endpoints: { a2a: 'https://carded.example/a2a' },
      version: '1.0.0',
      'x-untrusted': ['description', 'capabilities', 'endpoints', 'homepage'],
      homepage: 'https://carded.example/',
    })
    expect(headers.get('cache-control')).toBe('public, max-age=60')
    const own = await jsonOf(await fetch(`${doors.url}/.well-known/agent-card.json`))
    agentCard.parse(own)
  })

  test('is not resent to clients that have it, until it changes', async () => {
    await register(mine, 'cached')
    const etag = (await cardOf('cached')).headers.get('etag') ?? ''
    const again = () =>
      fetch(`${doors.url}/agents/cached/.well-known/agent-card.json`, {
        headers: { 'if-none-match': etag },
      }).then(({ status }) => status)
    expect(await again()).toBe(304)
    await call(mine, 'PATCH', '/api/agents/cached', { description: 'Books lunches' })
    expect(await again()).toBe(200)
    await call(mine, 'PATCH', '/api/agents/cached', { visibility: 'private' })
    expect(await again()).toBe(404)
  })

  test.each(['nobody', 'a%00b', '..%2f..', 'x'.repeat(200)])('is not found at %s', async (name) => {
    const { status, body } = await cardOf(name)
    expect([status, body.code]).toEqual([404, 'agent_not_found'])
  })

  test('of the network describes the network', async () => {
    const { status, headers } = await cardOf('service')
    expect([status, headers.get('location')]).toEqual([
      307,
      'http://127.0.0.1:3000/.well-known/agent-card.json',
    ])
  })
})

describe('the list of public agents', () => {
  const found = async (q: string, rest = '') => {
    const address = `/api/agents/public?q=${encodeURIComponent(q)}${rest}`
    const { body } = await call(null, 'GET', address)
    return body.agents.map(({ name }: any) => name)
  }

  test('is searched by words or prefixes in name, description and capabilities', async () => {
    await register(mine, 'Sunset-Planner', {
      description: 'Plans café evenings in Canggu',
      capabilities: ['travel.planning'],
    })
    for (const q of ['sunset', 'CAFE', 'cang', 'travel', 'evenings canggu']) {
      expect([q, await found(q)]).toEqual([q, ['Sunset-Planner']])
    }
    for (const q of ['sunset ubud', '!!!', "' | '", 'anggu']) {
      expect([q, await found(q)]).toEqual([q, []])
    }
  })

  test('finds nothing for words longer than any word stored', async () => {
    // Each of these characters normalises to six in the search text.
    const long = '㌖'.repeat(200)
    for (const q of [long, `sunset ${long.slice(10)}`, 'x'.repeat(200), 'é'.repeat(150)]) {
      const { status, body } = await call(
        null,
        'GET',
        `/api/agents/public?q=${encodeURIComponent(q)}`,
      )
      expect([status, Array.isArray(body.agents)]).toEqual([200, true])
    }
    expect(await found(long)).toEqual([])
  })

  test('includes agents with overlong words, found by their other words', async () => {
    const description = `${'㌖'.repeat(150)} tasting menus`
    expect((await register(mine, 'long-worded', { description })).status).toBe(201)
    expect(await found('tasting')).toEqual(['long-worded'])
    const changed = { description: `${'㌖'.repeat(150)} street food` }
    expect((await call(mine, 'PATCH', '/api/agents/long-worded', changed)).status).toBe(200)
    expect(await found('street')).toEqual(['long-worded'])
  })

  test('pages through everything once', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const path: string = `/api/agents/public?limit=2${cursor && `&cursor=${cursor}`}`
      const { body } = await call(null, 'GET', path)
      seen.push(...body.agents.map(({ name }: any) => name))
      cursor = body.next_cursor
    }
    expect(seen).toContain('service')
    expect(new Set(seen).size).toBe(seen.length)
    const whole = await call(null, 'GET', '/api/agents/public?limit=100')
    expect(whole.body.agents.slice(0, seen.length).map(({ name }: any) => name)).toEqual(
      seen.slice(0, 100),
    )
  })
})
