import type { Scope } from '../../base/scopes.ts'
import type { ShownClient } from '../../oauth/rules/clients.ts'
import knownHosts from './known-hosts.json' with { type: 'json' }

/** What each scope lets an assistant do, in the words of the person who allows it. */
export const assistantMay: Readonly<Record<Scope, string>> = {
  bookings: 'Hold, book, change and cancel for you. Bookings can cost money.',
  webhooks: 'Send news of the account’s bookings to servers that it chooses',
  agents: 'List agents in the public directory under the account',
  usage: 'Read usage, fees and the log of requests',
  keys: 'Create keys and change the plan',
}

/** The same in a list. */
export const mayInShort = (scope: Scope): string =>
  assistantMay[scope].split(/ for you\.|$/, 1)[0] ?? scope

/** What every connected assistant may do. */
export const READS = 'Search venues, see free times and read the account’s bookings'

/** Whether the answer goes to a program on the person’s own device, which nothing identifies. */
export const isLocal = ({ isLoopback, redirectHost }: ShownClient): boolean =>
  isLoopback || redirectHost.endsWith(':')

/** The client as the subject of a sentence: what is certain about it, not what it says. */
export const assistantWords = (client: ShownClient): string => {
  if (client.kind === 'predefined') return client.name
  return isLocal(client) ? 'A program on this computer' : client.redirectHost
}

/** What the client wants, after its name. */
export const wishWords = (scopes: readonly Scope[]): string =>
  scopes.includes('bookings') ? 'wants to book for you' : 'wants to search for you'

/** Whether the network knows who gets the answer; if not, pages warn. */
export const isKnown = (client: ShownClient): boolean =>
  client.kind === 'predefined' || (!isLocal(client) && knownHosts.includes(client.redirectHost))
