import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { may, type Role, roles } from '../../src/base/roles.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

type Route = { method: 'GET' | 'POST'; path: string; config: { part?: Parameters<typeof may>[2] } }

const routes: Route[] = []
let doors: Doors

beforeAll(async () => {
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => {
      if (!route.url.startsWith('/dashboard') || route.url.includes('*')) return
      // A later hook adds the route's section.
      if (route.method === 'GET' || route.method === 'POST') {
        routes.push({
          method: route.method as Route['method'],
          path: route.url,
          get config() {
            return route.config ?? {}
          },
        })
      }
    })
  }
  subscribe('fastify.initialization', watch)
  doors = await openDoors()
  unsubscribe('fastify.initialization', watch)
})
afterAll(() => doors?.close())

const encoded = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
const eachSegment = (path: string, change: (segment: string) => string) =>
  path.replaceAll(/[^/]+/g, change)

/** Addresses that a router might mistake for that of a route. */
const spellings: Record<string, (path: string) => string[]> = {
  plain: (path) => [path, `${path}?x=1`],
  'one character encoded': (path) =>
    path
      .split('/')
      .slice(1)
      .map((_, at) => {
        let segment = -1
        return eachSegment(path, (text) => {
          segment += 1
          return segment === at ? encoded(text[0] ?? '') + text.slice(1) : text
        })
      }),
  'every character encoded': (path) => [
    eachSegment(path, (segment) => [...segment].map(encoded).join('')),
    eachSegment(path, (segment) => [...segment].map(encoded).join('').toUpperCase()),
    path.replace(/[^/]+$/, (segment) => [...segment].map((one) => encoded(encoded(one))).join('')),
  ],
  'doubled slashes': (path) => [
    `/${path}`,
    path.replaceAll('/', '//'),
    path.replace(/\/(?=[^/]*$)/, '//'),
  ],
  'upper case': (path) => [path.toUpperCase(), path.replace(/[^/]+$/, (one) => one.toUpperCase())],
  'dots, slashes and semicolons': (path) =>
    ['.', '/', ';', ';a=b', '/.', '/..', '%2e', '%2f', '%3b', '%00', '%20', '.json'].flatMap(
      (end) => [path + end, path.replace('/dashboard', `/dashboard${end}`)],
    ),
}

const asks = /\/(cancel|change|delete|replay|revoke)$/
const isAllowed = (role: Role, { method, path, config }: Route) =>
  config.part !== undefined &&
  may(role, method === 'POST' || asks.test(path) ? 'change' : 'see', config.part)

/** Sends a path unchanged, which neither fetch nor URL does. */
function send({ cookie }: Browser, method: string, path: string) {
  const { hostname, port } = new URL(doors.url)
  const headers = {
    ...{ cookie, 'sec-fetch-site': 'same-origin', connection: 'close' },
    'content-type': 'application/x-www-form-urlencoded',
  }
  return new Promise<{ status: number; html: string }>((resolve, reject) => {
    const request = http.request({ hostname, port, method, path, headers }, async (response) =>
      resolve({ status: response.statusCode ?? 0, html: await text(response) }),
    )
    request
      .on('error', reject)
      .end(method === 'POST' ? 'password=x&role=owner&tier=pro' : undefined)
  })
}

/** How many requests an account can make before nearing the limit on pages. */
const MAX_REQUESTS = 500

test.each(roles.filter((role) => role !== 'owner'))(
  'no spelling of an address gets a %s member a page or form that the role may not have',
  async (role) => {
    const openOne = async () => openMember(doors, (await openBrowser(doors)).accountId, role)
    const forbidden = routes.filter((route) => !isAllowed(role, route))
    expect(forbidden.length).toBeGreaterThan(10)
    let browser = await openOne()
    let sent = 0
    const wrong: string[] = []
    for (const { method, path } of forbidden) {
      const address = path.replaceAll(/:\w+/g, crypto.randomUUID())
      for (const [spelling, spell] of Object.entries(spellings)) {
        for (const one of new Set(spell(address))) {
          sent += 1
          if (sent % MAX_REQUESTS === 0) browser = await openOne()
          const { status, html } = await send(browser, method, one)
          const isRefused = status === 403 && html.includes('role_required')
          // Other addresses lead nowhere, or to a parent page that the role is allowed to see.
          const isElsewhere = spelling !== 'plain' && [303, 400, 404, 405].includes(status)
          if (!isRefused && !isElsewhere) wrong.push(`${method} ${one}: ${status}`)
        }
      }
    }
    expect(wrong).toEqual([])
    const { rows } = await doors.db.query(
      `select account_id, action from audit_entry
       union all select id, 'deleted' from account where deleted_at is not null`,
    )
    expect(rows).toEqual([])
  },
  300_000,
)

test('every route of the dashboard says which part of the account it is about', () => {
  expect(routes.filter(({ config }) => !config.part)).toEqual([])
})
