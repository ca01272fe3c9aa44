import type { Scope } from '../../base/scopes.ts'
import type { ShownClient } from '../../oauth/rules/clients.ts'

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

/** The client as the subject of a sentence: what is certain about it, not what it says. */
export const assistantWords = (client: ShownClient): string => {
  if (client.kind === 'predefined') return client.name
  return client.isLocal ? 'A program on this computer' : client.redirectHost
}

/** What the client wants, after its name. */
export const wishWords = (scopes: readonly Scope[]): string =>
  scopes.includes('bookings') ? 'wants to book for you' : 'wants to search for you'
