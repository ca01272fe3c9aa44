/** What a search text could mean. */
export type AccountSearch = {
  /** an id, in any notation */
  id: string | null
  /** an event's number */
  number: number | null
  /** an API key in clear, compared only by its hash */
  key: string | null
  /** words, for names and URLs */
  words: string
}

const HEX = 32
const MAX_NUMBER_DIGITS = 12
const KEY = /^\w+_(live|test)_[\w-]{43}$/

/** Parses a pasted search text, ignoring spaces, quotes, braces and a leading field name. */
export function readAccountSearch(text: string): AccountSearch {
  const words = text.trim().replaceAll(/\s+/g, ' ')
  const tight = text.replaceAll(/[\s"'`<>{}()]+/g, '')
  const hex = tight
    .replace(/^[a-z_.-]*[:=]/i, '')
    .replaceAll('-', '')
    .toLowerCase()
  const isId = hex.length === HEX && /^[0-9a-f]+$/.test(hex)
  const digits = /^#?(\d+)$/.exec(tight)?.[1] ?? ''
  const isNumber = digits.length > 0 && digits.length <= MAX_NUMBER_DIGITS
  return {
    id: isId ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : null,
    number: isNumber ? Number(digits) : null,
    key: KEY.test(tight) ? tight : null,
    words,
  }
}
