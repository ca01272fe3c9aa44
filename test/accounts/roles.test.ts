import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Role, roles } from '../../src/base/roles.ts'
import { type Owner, openOwner } from '../support/belongings.ts'
import { openMember } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

type Access = 'none' | 'see' | 'change'

/** What each role is allowed to do in each section, stated independently of the rules. */
const expected: Record<string, Record<Role, Access>> = {
  '': { owner: 'change', developer: 'change', billing: 'see', 'read-only': 'see' },
  quickstart: { owner: 'change', developer: 'change', billing: 'see', 'read-only': 'see' },
  'first-call': { owner: 'change', developer: 'change', billing: 'none', 'read-only': 'see' },
  bookings: { owner: 'change', developer: 'change', billing: 'none', 'read-only': 'see' },
  agents: { owner: 'change', developer: 'change', billing: 'none', 'read-only': 'see' },
  webhooks: { owner: 'change', developer: 'change', billing: 'none', 'read-only': 'see' },
  deliveries: { owner: 'change', developer: 'change', billing: 'none', 'read-only': 'see' },
  replays: { owner: 'change', developer: 'change', billing: 'none', 'read-only': 'see' },
  events: { owner: 'change', developer: 'change', billing: 'none', 'read-only': 'see' },
  keys: { owner: 'change', developer: 'change', billing: 'none', 'read-only': 'see' },
  connections: { owner: 'change', developer: 'change', billing: 'change', 'read-only': 'change' },
  clocks: { owner: 'change', developer: 'change', billing: 'none', 'read-only': 'see' },
  requests: { owner: 'change', developer: 'change', billing: 'none', 'read-only': 'see' },
  usage: { owner: 'see', developer: 'see', billing: 'see', 'read-only': 'see' },
  fees: { owner: 'see', developer: 'see', billing: 'see', 'read-only': 'see' },
  invoices: { owner: 'see', developer: 'see', billing: 'see', 'read-only': 'see' },
  plan: { owner: 'change', developer: 'see', billing: 'change', 'read-only': 'see' },
  payments: { owner: 'change', developer: 'see', billing: 'change', 'read-only': 'see' },
  audit: { owner: 'see', developer: 'see', billing: 'none', 'read-only': 'see' },
  members: { owner: 'change', developer: 'see', billing: 'see', 'read-only': 'see' },
  accounts: { owner: 'change', developer: 'change', billing: 'change', 'read-only': 'change' },
  account: { owner: 'change', developer: 'change', billing: 'change', 'read-only': 'change' },
  security: { owner: 'change', developer: 'change', billing: 'change', 'read-only': 'change' },
  operators: { owner: 'change', developer: 'change', billing: 'change', 'read-only': 'change' },
  search: { owner: 'change', developer: 'change', billing: 'none', 'read-only': 'see' },
}

/** Routes whose rules differ from those of their section. */
const apart: Record<string, (role: Role) => boolean> = {
  'GET /dashboard/account/delete': (role) => role === 'owner',
  'POST /dashboard/account/delete': (role) => role === 'owner',
  'POST /dashboard/members/leave': () => true,
  'POST /dashboard/security/members': (role) => role === 'owner',
  // Its key has the scope `keys`, with which the new one could change the plan.
  'POST /dashboard/keys/:id/roll': (role) => role === 'owner',
}

type Route = { method: 'GET' | 'POST'; path: string }

const routes: Route[] = []
let doors: Doors
let owner: Owner
beforeAll(async () => {
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      const isPage = url.startsWith('/dashboard') && !url.includes('*')
      if (!isPage) return
      if (method === 'GET' || method === 'POST') routes.push({ method, path: url } as Route)
    })
  }
  subscribe('fastify.initialization', watch)
  doors = await openDoors()
  unsubscribe('fastify.initialization', watch)
  owner = await openOwner(doors, 1)
})
afterAll(() => doors?.close())

const sectionOf = ({ path }: Route) => path.replace('/exports', '').split(/[/.]/)[2] ?? ''

/** A page that asks before a change is only for those allowed to make that change. */
const asks = /\/(cancel|change|delete|replay|revoke)$/

function isAllowed(role: Role, route: Route): boolean {
  const own = apart[`${route.method} ${route.path}`]
  if (own) return own(role)
  const given = expected[sectionOf(route)]?.[role]
  const isChange = route.method === 'POST' || asks.test(route.path)
  return given === 'change' || (given === 'see' && !isChange)
}

const addressOf = ({ path }: Route) => {
  const of: Record<string, keyof Owner['things']> = {
    bookings: 'booking',
    webhooks: 'endpoint',
    deliveries: 'delivery',
    replays: 'replay',
    events: 'eventNumber',
    keys: 'key',
    connections: 'connection',
    agents: 'agent',
    invoices: 'invoice',
    clocks: 'clock',
    payments: 'payment',
  }
  const thing = of[path.split('/')[2] ?? '']
  return path
    .replace('/types/:type', '/types/booking.confirmed')
    .replace(/:\w+/, thing ? owner.things[thing] : crypto.randomUUID())
}

test('every section of the dashboard is in the table of roles', () => {
  expect(new Set(routes.map(sectionOf))).toEqual(new Set(Object.keys(expected)))
})

describe.each(roles.filter((role) => role !== 'owner'))('as %s', (role) => {
  // This many routes would reach the limit on pages per minute.
  beforeAll(async () => {
    await doors.close()
    doors = await openDoors()
    owner = await openOwner(doors, 1)
  })

  test('exactly the pages and forms of the table are refused', async () => {
    const wrong: string[] = []
    const browser = await openMember(doors, owner.accountId, role)
    for (const route of routes.filter(({ path }) => !/sessions|leave/.test(path))) {
      const address = addressOf(route)
      const answer = await (route.method === 'GET' ? browser.get(address) : browser.post(address))
      const isRefused = answer.status === 403 && answer.html.includes('role_required')
      if (isRefused === isAllowed(role, route)) {
        wrong.push(`${route.method} ${route.path}: ${answer.status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('no page offers anything that would be refused', async () => {
    const wrong: string[] = []
    const browser = await openMember(doors, owner.accountId, role)
    const pages = routes.filter((route) => route.method === 'GET' && isAllowed(role, route))
    const matching = (method: Route['method'], path: string) =>
      routes.find(
        (route) =>
          route.method === method &&
          new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
      )
    for (const page of pages) {
      const { status, html } = await browser.get(addressOf(page))
      if (status !== 200) continue
      const forms = [...html.matchAll(/<form[^>]*method="post"[^>]*action="(\/dashboard[^"]*)"/g)]
      const links = [...html.matchAll(/href="(\/dashboard[^"?#]*)/g)]
      for (const [method, found] of [
        ['POST', forms],
        ['GET', links],
      ] as const) {
        for (const [, path = ''] of found) {
          const route = matching(method, path)
          if (route && !isAllowed(role, route)) wrong.push(`${page.path} offers ${path}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

test('afterwards, nobody without the right has changed the account', async () => {
  const { rows } = await doors.db.query(
    `select action from audit_entry e join member m
       on m.account_id = e.account_id and m.developer_id = e.actor_id
     where e.account_id = $1 and m.role in ('billing', 'read-only')
       and action not like 'plan.%'`,
    [owner.accountId],
  )
  expect(rows).toEqual([])
})
