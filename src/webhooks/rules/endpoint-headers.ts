/** Custom headers of an endpoint. */
export const MOST_HEADERS = 20
const LONGEST_NAME = 100
const LONGEST_VALUE = 1000

/** Those that HTTP, the network's own client or its signature decide. */
const reserved = new Set([
  'accept-encoding',
  'connection',
  'cookie2',
  'date',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
])
const reservedPrefixes = ['content-', 'proxy-', 'sec-', 'webhook-']

/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** What is wrong with a custom header of this name and value; undefined when nothing is. It never repeats the value. */
export function headerFault(name: string, value: string): string | undefined {
  const lower = name.toLowerCase()
  if (!token.test(name)) return 'its name is not a token of HTTP (RFC 9110, 5.6.2)'
  if (name.length > LONGEST_NAME) return `its name is longer than ${LONGEST_NAME} characters`
  if (reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix))) {
    return 'reserved: the network sets it itself, or HTTP does'
  }
  if (value.length > LONGEST_VALUE) return `its value is longer than ${LONGEST_VALUE} characters`
  if (!/^[!-~]([ -~]*[!-~])?$/.test(value)) {
    return 'expected a value of printable ASCII without line breaks, not empty, no spaces at either end'
  }
  return undefined
}
