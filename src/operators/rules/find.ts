import { apiKeyPattern } from '../../contract/rules/ids.ts'

/** What an operator can look for with one text, and has a page. */
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

/** A text as its form says what it is. `word` is a slug, the name of an agent or of an account. */
export type OperatorSearch =
  | { is: 'id'; id: string }
  | { is: 'email'; email: string }
  | { is: 'raw key'; raw: string }
  | { is: 'end of a key'; end: string }
  | { is: 'word'; word: string }

/** What was typed or pasted: with quotes, an `agent://`, or a prefix of a workflow's id. */
export function readSought(typed: string): OperatorSearch {
  const text = typed.trim().replace(/^["'`]+|["'`]+$/g, '')
  if (apiKeyPattern.test(text)) return { is: 'raw key', raw: text }
  const [, end] = /^(?:…|\.\.\.)([A-Za-z0-9_-]{4})$/.exec(text) ?? []
  if (end) return { is: 'end of a key', end }
  const id = text.toLowerCase().replace(/^(?:booking|webhook)\//, '')
  if (uuid.test(id)) return { is: 'id', id }
  // The account of a wallet is named after its address.
  if (/^0x[0-9a-f]{40}$/.test(id)) return { is: 'word', word: `wallet ${id}` }
  if (text.includes('@')) return { is: 'email', email: text }
  return { is: 'word', word: text.replace(/^agent:\/\//i, '') }
}

/** The text without a secret, for an address. */
export function withoutSecret(typed: string): string {
  const sought = readSought(typed)
  return sought.is === 'raw key' ? `…${sought.raw.slice(-4)}` : typed.trim()
}

/** When a UUIDv7 was made; null for other ids, which do not say. */
export function timeOfId(id: string): Date | null {
  if (id[14] !== '7') return null
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
