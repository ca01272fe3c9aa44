import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import { type AccountPart, may, type Role, requireMay, type Way } from '../../base/roles.ts'
import { type Html, html } from '../page/html.ts'
import { splitMode } from './mode-address.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the part of the account that a dashboard page concerns */
    part?: AccountPart
  }
}

type Need = { part: AccountPart; what: Way }

/** Pages that only ask for confirmation before a change. */
const asks = /\/(?:cancel|change|delete|replay|revoke)$/

function needOf(method: string, route: string, { part }: FastifyContextConfig): Need | undefined {
  return part && { part, what: method === 'POST' || asks.test(route) ? 'change' : 'see' }
}

/** What each route requires, by method and route; the same for every app in a process. */
const needs = new Map<string, Need>()

/** Assigns the scope's routes to a part of the account, unless they name another part. */
export function aboutPart(scope: FastifyInstance, part: AccountPart): void {
  scope.addHook('onRoute', (route) => {
    route.config = { part, ...route.config }
    const { url, config } = route
    for (const method of [route.method].flat()) {
      const need = needOf(method, url, config)
      if (!need) throw new Error(`${method} ${url} is about no part of the account`)
      needs.set(`${method} ${url}`, need)
    }
  })
}

/** The part assigned to a form, for another route at the same address. */
export function partOfForm(route: string): FastifyContextConfig {
  const { part } = needs.get(`POST ${route}`) ?? {}
  return part ? { part } : {}
}

/**
 * Throws `role_required` unless the developer’s role permits the matched route. It checks the route
 * because an address can be spelled in many ways. Routes without a part are refused.
 */
export function requireRole({ developer, method, routeOptions }: FastifyRequest): void {
  const need = needOf(method, routeOptions.url ?? '', routeOptions.config)
  if (!need) throw refuse('page_not_found')
  if (developer) requireMay(developer.role, need.what, need.part)
}

/** Whether a role is allowed to send this request; the address is spelled as on pages. */
export function maySend(role: Role, method: string, address: string): boolean {
  const { path } = splitMode(address)
  const need = needs.get(`${method} ${path}`) ?? needs.get(`${method} ${routeOf(method, path)}`)
  return need !== undefined && may(role, need.what, need.part)
}

function routeOf(method: string, path: string): string | undefined {
  const segments = path.split('/')
  for (const key of needs.keys()) {
    const [ofMethod, route = ''] = key.split(' ')
    const parts = route.split('/')
    const isMatch = parts.every((part, at) => part.startsWith(':') || part === segments[at])
    if (ofMethod === method && parts.length === segments.length && isMatch) return route
  }
  return undefined
}

/** Whether a role can see a section of the dashboard. */
export const seesSection = (role: Role, section: string): boolean =>
  maySend(role, 'GET', `/dashboard${section && `/${section}`}`)

const forms = /<form\b([^>]*)>.*?<\/form>/gs
const links = /<a\b[^>]*\bhref="(\/dashboard[^"?#]*)[^"]*"[^>]*>(.*?)<\/a>/gs

/** Removes from a page the links and forms that the developer’s role does not permit. */
export function offered({ developer }: FastifyRequest, { markup }: Html): Html {
  const role = developer?.role ?? 'owner'
  if (role === 'owner') return { markup }
  const { markup: cannot } = html`<p class="quiet">Your role, ${role}, cannot change this.</p>`
  const isOffered = (attributes: string) => {
    const action = /\baction="(\/dashboard[^"?#]*)/.exec(attributes)?.[1]
    const method = /\bmethod="post"/.test(attributes) ? 'POST' : 'GET'
    return action === undefined || maySend(role, method, action)
  }
  return {
    markup: markup
      .replaceAll(forms, (form, attributes: string) => {
        if (isOffered(attributes)) return form
        return attributes.includes('class="stack"') ? cannot : ''
      })
      .replaceAll(links, (link, path: string, text: string) => {
        if (maySend(role, 'GET', path)) return link
        return asks.test(path) || link.includes('class="button') ? '' : text
      }),
  }
}
