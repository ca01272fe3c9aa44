import reservedHeaders from './reserved-headers.json' with { type: 'json' }

const MAX_NAME_CHARS = 100
const MAX_VALUE_CHARS = 1000

/** Set by HTTP, the network's client or the signing code. */
const reserved = new Set(reservedHeaders)
const reservedPrefixes = ['content-', 'proxy-', 'sec-', 'webhook-']

/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** What is wrong with a custom header; undefined if it is valid. Never repeats the value. */
export function headerFault(name: string, value: string): string | undefined {
  const lower = name.toLowerCase()
  if (!token.test(name)) return 'the name is not an HTTP token (RFC 9110, 5.6.2)'
  if (name.length > MAX_NAME_CHARS) return `the name is longer than ${MAX_NAME_CHARS} characters`
  if (reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix))) {
    return 'reserved: set by the network or by HTTP'
  }
  if (value.length > MAX_VALUE_CHARS) {
    return `the value is longer than ${MAX_VALUE_CHARS} characters`
  }
  if (!/^[!-~]([ -~]*[!-~])?$/.test(value)) {
    return 'expected a value of printable ASCII: not empty, no line breaks, no spaces at either end'
  }
  return undefined
}
