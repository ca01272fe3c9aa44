import type { FastifyRequest } from 'fastify'
import { type AccountPart, may, type Role } from '../../../accounts/rules/roles.ts'
import { catalogue } from '../../../catalogue.ts'
import type { Operation } from '../../../contract/operation.ts'
import { refuse } from '../../../contract/rules/errors.ts'
import type { Scope } from '../../../contract/rules/scopes.ts'
import { type Html, html } from '../html.ts'

/** The part of the account that each section of the dashboard is about. */
export const sections: Readonly<Record<string, AccountPart>> = {
  '': 'start',
  quickstart: 'start',
  'first-call': 'requests',
  bookings: 'bookings',
  agents: 'agents',
  webhooks: 'webhooks',
  deliveries: 'webhooks',
  replays: 'webhooks',
  events: 'webhooks',
  keys: 'keys',
  clocks: 'bookings',
  requests: 'requests',
  search: 'bookings',
  usage: 'usage',
  fees: 'usage',
  invoices: 'usage',
  plan: 'plan',
  payments: 'plan',
  audit: 'audit',
  members: 'members',
  accounts: 'self',
  mode: 'self',
  account: 'self',
  support: 'self',
  styleguide: 'self',
  operators: 'self',
}

/** Pages that only ask before something is changed. */
const asks = /\/(?:cancel|change|delete|replay|revoke)$/

/** The part that an address is about, and what it takes: an unknown one is for developers. */
function needOf(method: string, path: string): { part: AccountPart; what: 'see' | 'change' } {
  const [, , first = '', ...rest] = path.split('/')
  const section = first === 'exports' ? (rest[0] ?? '') : first
  if (section === 'account' && rest[0] === 'delete') return { part: 'deletion', what: 'change' }
  const what = method === 'POST' || asks.test(path) ? 'change' : 'see'
  // Everybody may leave.
  if (section === 'members' && rest[0] === 'leave') return { part: 'self', what }
  return { part: sections[section] ?? 'bookings', what }
}

/** Whether a role may send this request to a page. */
function maySend(role: Role, method: string, path: string): boolean {
  const { part, what } = needOf(method, path.split(/[?.]/, 1)[0] ?? '')
  return may(role, what, part)
}

/** Whether a role sees a section of the dashboard. */
export const seesSection = (role: Role, section: string): boolean =>
  may(role, 'see', sections[section] ?? 'bookings')

/** Throws `role_required` unless the developer’s role may have this page. */
export function requireRole({ developer, method, url }: FastifyRequest): void {
  if (!developer || maySend(developer.role, method, url)) return
  throw refuse('role_required', `You are ${developer.role} in this account.`, {
    role: developer.role,
  })
}

const ofScope: Readonly<Record<Scope, AccountPart>> = {
  bookings: 'bookings',
  keys: 'keys',
  webhooks: 'webhooks',
  agents: 'agents',
  usage: 'usage',
}
/** Operations that are about another part than that of their scope. */
const apart: Readonly<Record<string, AccountPart>> = {
  plan: 'plan',
  'change plan': 'plan',
  payments: 'plan',
  payment: 'plan',
  pay: 'plan',
  'change card': 'plan',
  requests: 'requests',
  'audit log': 'audit',
  'list members': 'members',
  'delivery statistics': 'usage',
}
const changes = new Set(
  catalogue.flatMap(({ operation, rest }) =>
    rest.route.startsWith('GET') ? [] : [operation.name],
  ),
)

/** Throws `role_required` unless the developer’s role may run an operation from a page. */
export function requireRoleFor({ developer }: FastifyRequest, { name, scope }: Operation): void {
  const part = apart[name] ?? (scope && ofScope[scope])
  const what = changes.has(name) ? 'change' : 'see'
  if (!developer || !part || may(developer.role, what, part)) return
  throw refuse('role_required', `You are ${developer.role} in this account.`, {
    role: developer.role,
  })
}

const forms = /<form\b([^>]*)>.*?<\/form>/gs
const links = /<a\b[^>]*\bhref="(\/dashboard\/[^"?#]*)[^"]*"[^>]*>(.*?)<\/a>/gs

/** The page without forms and links that the developer’s role may not use. */
export function offered({ developer }: FastifyRequest, { markup }: Html): Html {
  const role = developer?.role ?? 'owner'
  if (role === 'owner') return { markup }
  const { markup: cannot } = html`<p class="quiet">Your role, ${role}, cannot change this.</p>`
  const isOffered = (attributes: string) => {
    const action = /\baction="(\/dashboard[^"]*)"/.exec(attributes)?.[1]
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
        return link.includes('class="button') ? '' : text
      }),
  }
}
