import { apiKeyPattern } from '../../base/ids.ts'

/** The kinds of objects that an operator can find; each has a page. */
export const foundKinds = [
  'account',
  'booking',
  'request',
  'event',
  'delivery',
  'endpoint',
  'key',
  'venue',
  'agent',
] as const
export type FoundKind = (typeof foundKinds)[number]

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A search, by the kind of text typed. `word` is a slug, or an agent's or account's name. */
export type OperatorSearch = { by: 'id' | 'email' | 'key' | 'keyEnd' | 'word'; text: string }

/** Parses pasted text as a search; it may have quotes, `agent://` or a workflow id's prefix. */
export function readOperatorSearch(typed: string): OperatorSearch {
  const text = typed.trim().replace(/^["'`]+|["'`]+$/g, '')
  if (apiKeyPattern.test(text)) return { by: 'key', text }
  const [, end] = /^(?:…|\.\.\.)([A-Za-z0-9_-]{4})$/.exec(text) ?? []
  if (end) return { by: 'keyEnd', text: end }
  const id = text.toLowerCase().replace(/^(?:booking|webhook)\//, '')
  if (uuid.test(id)) return { by: 'id', text: id }
  // A wallet's account is named after the wallet's address.
  if (/^0x[0-9a-f]{40}$/.test(id)) return { by: 'word', text: `wallet ${id}` }
  return { by: text.includes('@') ? 'email' : 'word', text: text.replace(/^agent:\/\//i, '') }
}

/** The text without secrets, for use in an address. */
export function withoutSecret(typed: string): string {
  const { by, text } = readOperatorSearch(typed)
  return by === 'key' ? `…${text.slice(-4)}` : typed.trim()
}
