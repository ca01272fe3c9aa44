import { may, type Role } from '../../base/roles.ts'
import type { Scope } from '../../base/scopes.ts'
import knownAssistants from './known-assistants.json' with { type: 'json' }

/** The client of an authorization request, as far as pages name it. */
export type Assistant = {
  /** what the client calls itself; unproved unless it is predefined */
  name: string
  /** the host that proves its identity, or that gets the answer */
  host: string
  kind: 'document' | 'registered' | 'predefined'
  /** the answer goes to a program on the person's own device, which nothing identifies */
  isLoopback: boolean
}

/** What each scope lets an assistant do, in the words of the person who allows it. */
export const assistantMay: Readonly<Record<Scope, string>> = {
  bookings: 'Hold, book, change and cancel for you. Bookings can cost money.',
  webhooks: 'Send news of this account’s bookings to servers that it chooses',
  agents: 'List agents in the public directory under this account',
  usage: 'Read usage, fees and the log of requests',
  keys: 'Create keys and change the plan',
}

/** What every connected assistant may do. */
export const READS = 'Search venues, see free times and read this account’s bookings'

/** The client as the subject of a sentence: the host that gets the answer, or the device. */
export const assistantWords = ({ kind, name, host, isLoopback }: Assistant): string => {
  if (kind === 'predefined') return name
  return isLoopback ? 'A program on this computer' : host
}

/** What the client asks for, after its name. */
export const wishWords = (scopes: readonly Scope[]): string =>
  scopes.includes('bookings') ? 'wants to book for you' : 'wants to search for you'

/** Whether the network knows who runs the client; for all others, pages warn. */
export const isKnownAssistant = ({ kind, host, isLoopback }: Assistant): boolean =>
  kind === 'predefined' || (!isLoopback && knownAssistants.includes(host))

/** The scopes that a member with this role can give an assistant. */
export const grantableBy = (role: Role, scopes: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => may(role, scope === 'usage' ? 'see' : 'change', scope))
