import type { FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'

const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Whether pages from an origin may use the doors for agents: it is ours or allowed. */
export function createIsAllowedOrigin(publicUrl: string, config: Config) {
  const origins = new Set([new URL(publicUrl).origin, ...config.ALLOWED_ORIGINS])
  const allowLoopback = config.NODE_ENV !== 'production'
  return (origin: string): boolean =>
    origins.has(origin) || (allowLoopback && loopback.test(origin))
}

/**
 * Refuses requests from other sites' pages, including by DNS rebinding: the origin is compared with
 * the public address, because an attacker chooses the `Host` header. Requests without `Origin` do
 * not come from a page. See the security warning for HTTP transports in MCP.
 */
export const createOriginCheck =
  (isAllowed: (origin: string) => boolean) =>
  async ({ headers: { origin } }: FastifyRequest): Promise<void> => {
    if (origin !== undefined && !isAllowed(origin)) throw refuse('origin_not_allowed')
  }

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const plainLoopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
const anyAddress = /^http:\/\/0\.0\.0\.0(:\d+)?$/
const privateAddress =
  /^http:\/\/(10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2})(:\d+)?$/
const foreign = 'Forms must be sent from this site. Open the page again and send the form there.'

/**
 * Throws `origin_not_allowed` for an unsafe request that no page of this server sent. Cross-site
 * requests are recognised by `Sec-Fetch-Site`, which a page cannot set, or else by `Origin`; a
 * request with neither is not from a browser. A development machine has several loopback names, and
 * private addresses if it listens everywhere (`HOST=0.0.0.0` without `PUBLIC_URL`); each is a site
 * of its own. It refuses other names, as anybody can make a name resolve to it.
 */
export function createRequireSameOrigin(publicUrl: string) {
  const own = new URL(publicUrl).origin
  return async ({ method, headers }: FastifyRequest): Promise<void> => {
    if (safeMethods.has(method)) return
    const site = headers['sec-fetch-site']
    const { origin, host } = headers
    const isOwn = origin === own || (isNearby(own, origin) && origin === `http://${host}`)
    if (site === undefined ? isOwn : site === 'same-origin') return
    throw refuse('origin_not_allowed', foreign)
  }
}

function isNearby(own: string, origin = ''): boolean {
  if (anyAddress.test(own)) return plainLoopback.test(origin) || privateAddress.test(origin)
  return plainLoopback.test(own) && plainLoopback.test(origin)
}
