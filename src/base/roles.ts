import type { AuditAction } from './audit-actions.ts'
import { refuse } from './errors.ts'
import type { Scope } from './scopes.ts'

/** A developer's possible roles in an account. */
export const roles = ['owner', 'developer', 'billing', 'read-only'] as const
export type Role = (typeof roles)[number]

/** What each role is for, in one line. */
export const roleWords: Readonly<Record<Role, string>> = {
  owner: 'everything, members and deletion included',
  developer: 'bookings, keys, endpoints, agents and requests',
  billing: 'usage, fees, invoices and the plan',
  'read-only': 'sees what developers see, and changes nothing',
}

/** Access to a part of an account; `change` includes `see`. */
type Access = 'none' | Way
export type Way = 'see' | 'change'

const operations = { owner: 'change', developer: 'change', billing: 'none', 'read-only': 'see' }
const history = { owner: 'see', developer: 'see', billing: 'none', 'read-only': 'see' }
const everybodys = {
  owner: 'change',
  developer: 'change',
  billing: 'change',
  'read-only': 'change',
}

/** What each role may do in each part of an account. */
const access = {
  start: { owner: 'change', developer: 'change', billing: 'see', 'read-only': 'see' },
  bookings: operations,
  agents: operations,
  webhooks: operations,
  keys: operations,
  requests: operations,
  usage: { owner: 'see', developer: 'see', billing: 'see', 'read-only': 'see' },
  plan: { owner: 'change', developer: 'see', billing: 'change', 'read-only': 'see' },
  audit: history,
  members: { owner: 'change', developer: 'see', billing: 'see', 'read-only': 'see' },
  deletion: { owner: 'change', developer: 'none', billing: 'none', 'read-only': 'none' },
  /** their own password, sessions and choice of account */
  self: everybodys,
} as const satisfies Record<string, Readonly<Record<Role, string>>>

export type AccountPart = keyof typeof access

/** Whether a role may see or change a part of its account. */
export function may(role: Role, what: Way, part: AccountPart): boolean {
  const own = access[part][role] as Access
  return own === 'change' || own === what
}

/** Throws `role_required` unless a role may see or change a part of its account. */
export function requireMay(role: Role, what: Way, part: AccountPart): void {
  if (may(role, what, part)) return
  throw refuse('role_required', `You are ${role} in this account.`, { role })
}

const partOfScope: Readonly<Record<Scope, AccountPart>> = {
  bookings: 'bookings',
  keys: 'keys',
  webhooks: 'webhooks',
  agents: 'agents',
  usage: 'usage',
}

/** Those scopes that a role may give to a program: nobody gives away what they may not do. */
export const scopesOfRole = <S extends Scope>(role: Role, scopes: readonly S[]): S[] =>
  scopes.filter((scope) => may(role, scope === 'usage' ? 'see' : 'change', partOfScope[scope]))

/** Days for which an invitation is valid. */
export const INVITATION_DAYS = 7
/** Maximum number of an account's members and invitations together. */
export const MAX_MEMBERS = 100

/** The part to which an object in the audit log belongs; all others are for operators alone. */
const partOfObject: Readonly<Record<string, AccountPart>> = {
  account: 'requests',
  agent: 'agents',
  card: 'plan',
  clock: 'bookings',
  connection: 'self',
  delivery: 'webhooks',
  endpoint: 'webhooks',
  key: 'keys',
  member: 'members',
  plan: 'plan',
  replay: 'webhooks',
  email: 'self',
  factor: 'self',
  password: 'self',
  session: 'self',
}
const partOfAction: { readonly [action in AuditAction]?: AccountPart } = {
  'account.created': 'self',
  'account.deleted': 'deletion',
  'account.factor_changed': 'members',
  'member.joined': 'self',
  'member.left': 'self',
}

/** The part that an audited change concerns; undefined for changes that members cannot make. */
export const changedPart = (action: AuditAction): AccountPart | undefined =>
  partOfAction[action] ?? partOfObject[action.split('.', 1)[0] ?? '']
