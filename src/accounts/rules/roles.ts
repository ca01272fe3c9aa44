/** What a developer is in an account. */
export const roles = ['owner', 'developer', 'billing', 'read-only'] as const
export type Role = (typeof roles)[number]

/** What each role is for, in a line. */
export const roleWords: Readonly<Record<Role, string>> = {
  owner: 'everything, members and deletion included',
  developer: 'bookings, keys, endpoints, agents and requests',
  billing: 'usage, fees, invoices and the plan',
  'read-only': 'sees what developers see, and changes nothing',
}

/** Ways to use a part of an account; who may change it sees it too. */
type Access = 'none' | 'see' | 'change'

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
export function may(role: Role, what: Exclude<Access, 'none'>, part: AccountPart): boolean {
  const given = access[part][role] as Access
  return given === 'change' || given === what
}

/** Valid links to join an account. */
export const INVITATION_DAYS = 7
/** Members and invitations of an account. */
export const MAX_MEMBERS = 100
