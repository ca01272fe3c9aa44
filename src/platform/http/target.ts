import { isIP } from 'node:net'
import { OutboundError } from './failure.ts'
import { isLoopback, isPublic } from './public-address.ts'

const MAX_URL_LENGTH = 2048
// Never public: RFC 6761, 6762, 7686, 8375, 9476, and ICANN's `internal`.
const privateSuffixes = ['localhost', 'local', 'onion', 'home.arpa', 'alt', 'internal']

/** Which targets the client is allowed to reach. */
export type OutboundPolicy = {
  /** `host:port` of targets that may be private and use plain http, exactly as in their URLs */
  allow: readonly string[]
  /** whether plain http is limited to targets in `allow` */
  httpsOnly: boolean
  /** whether loopback, on any port, counts as public */
  allowLoopback: boolean
  /** allowed ports of public targets */
  ports: readonly number[]
  /** maximum open sockets, including idle ones */
  maxSockets: number
}

type PolicySettings = { NODE_ENV: string; HOST: string; OUTBOUND_SOCKETS: number }

/**
 * For URLs that developers set: https only in production; elsewhere also http, and loopback if the
 * service listens there.
 */
export function subscriberPolicy(config: PolicySettings): OutboundPolicy {
  const production = config.NODE_ENV === 'production'
  return {
    allow: [],
    httpsOnly: production,
    allowLoopback: !production && (config.HOST === 'localhost' || isLoopback(config.HOST)),
    ports: production ? [443, 8443] : [80, 443, 8080, 8443],
    maxSockets: config.OUTBOUND_SOCKETS,
  }
}

/** For URLs set by operators (connectors, notices, x402 servers); `OUTBOUND_ALLOW` applies. */
export const connectorPolicy = (
  config: PolicySettings & { OUTBOUND_ALLOW: readonly string[] },
): OutboundPolicy => ({ ...subscriberPolicy(config), allow: config.OUTBOUND_ALLOW })

export type Target = {
  origin: string
  secure: boolean
  /** a name, or an address without brackets */
  host: string
  port: number
  /** path and query */
  path: string
  /** allowed by the operator, so its addresses are not checked */
  allowed: boolean
}

/**
 * A URL's target; throws `refused_url` or `refused_address` if it cannot be acceptable whatever its
 * name resolves to. Endpoints are checked this way before they are stored.
 */
export function parseTarget(text: string, policy: OutboundPolicy): Target {
  const problem = problemOf(text)
  if (problem) throw refused(problem)
  const url = URL.parse(text)
  if (!url) throw refused('It is malformed')

  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || (secure ? 443 : 80))
  const allowed = policy.allow.includes(`${url.hostname}:${port}`)
  const path = url.pathname + url.search
  const target = { origin: url.origin, secure, host, port, path, allowed }
  if (allowed) return target

  if (!secure && policy.httpsOnly) throw refused('It does not begin with https://')
  if (policy.allowLoopback && namesLoopback(host)) return target
  if (isIP(host) ? !isPublic(host) : !isPublicName(host)) throw new OutboundError('refused_address')
  if (policy.ports.includes(port)) return target
  throw refused(`Its port is none of ${policy.ports.join(', ')}`)
}

/** What is wrong with a URL's text. */
function problemOf(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `It is longer than ${MAX_URL_LENGTH} characters`
  // The URL parser would drop tabs and newlines, and read a backslash as a slash.
  if (/[\p{Cc}\s\\"]/u.test(text)) {
    return 'It contains a space, a quotation mark, a control character or a backslash'
  }
  if (!/^https?:\/\/[^/?#]/i.test(text)) return 'It does not begin with https:// and a host'
  if (/^[^/]+\/\/[^/?#]*@/.test(text)) return 'It contains a user name or password'
  return undefined
}

/** localhost and its subdomains, which need no lookup (RFC 6761, 6.3), and literal addresses. */
export const namesLoopback = (host: string): boolean =>
  /^(.+\.)?localhost$/.test(host) || isLoopback(host)

const isPublicName = (host: string): boolean =>
  host.includes('.') &&
  !host.endsWith('.') &&
  !privateSuffixes.some((suffix) => host.endsWith(`.${suffix}`))

const refused = (why: string) =>
  new OutboundError('refused_url', { what: `The URL is not acceptable: ${why}.` })
