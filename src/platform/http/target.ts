import { isIP } from 'node:net'
import { OutboundError } from './failure.ts'
import type { OutboundPolicy } from './policy.ts'
import { isLoopback, isPublic } from './public-address.ts'

const MAX_URL_LENGTH = 2048
// RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476 and ICANN's `internal`: names that are nobody's in public.
const privateSuffixes = ['localhost', 'local', 'onion', 'home.arpa', 'alt', 'internal']

/** Where a request goes. */
export type Target = {
  origin: string
  secure: boolean
  /** a name, or an address without brackets */
  host: string
  port: number
  /** path and query */
  path: string
  /** by the operator: its addresses are not judged */
  allowed: boolean
}

/**
 * The target of a URL; throws `refused_url` or `refused_address` for what no look-up could make
 * acceptable. Also what registering an endpoint asks, before anything is stored.
 */
export function parseTarget(text: string, policy: OutboundPolicy): Target {
  if (text.length > MAX_URL_LENGTH) throw refused(`It is longer than ${MAX_URL_LENGTH} characters`)
  // The URL parser would drop tabs and newlines and read a backslash as a slash.
  if (/[\p{Cc}\s\\]/u.test(text)) throw refused('It contains a space, a control or a backslash')
  if (!/^https?:\/\/[^/?#]/i.test(text)) throw refused('It does not begin with https:// and a host')
  if (/^[^/]+\/\/[^/?#]*@/.test(text)) throw refused('It contains a user name or password')
  const url = URL.parse(text)
  if (!url) throw refused('It is malformed')

  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || (secure ? 443 : 80))
  const allowed = policy.allow.includes(`${url.hostname}:${port}`)
  const target = {
    origin: url.origin,
    secure,
    host,
    port,
    path: url.pathname + url.search,
    allowed,
  }
  if (allowed) return target

  if (!secure && policy.httpsOnly) throw refused('It does not begin with https://')
  if (policy.allowLoopback && namesLoopback(host)) return target
  if (isIP(host) ? !isPublic(host) : !isPublicName(host)) throw new OutboundError('refused_address')
  if (!policy.ports.includes(port)) {
    throw refused(`Its port is none of ${policy.ports.join(', ')}`)
  }
  return target
}

/** localhost and the names below it, which need no look-up (RFC 6761, 6.3), and literal addresses. */
export function namesLoopback(host: string): boolean {
  return /^(.+\.)?localhost$/.test(host) || isLoopback(host)
}

function isPublicName(host: string): boolean {
  if (!host.includes('.') || host.endsWith('.')) return false
  return !privateSuffixes.some((suffix) => host.endsWith(`.${suffix}`))
}

function refused(why: string): OutboundError {
  return new OutboundError('refused_url', { what: `The URL is not acceptable: ${why}.` })
}
