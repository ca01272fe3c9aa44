import type { FastifyRequest } from 'fastify'
import { refuse } from '../../contract/rules/errors.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
const everywhere = /^http:\/\/0\.0\.0\.0(:\d+)?$/
const privateAddress =
  /^http:\/\/(10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2})(:\d+)?$/
const foreign =
  'Forms are taken from pages of this site only: open the page again and send the form from there.'

/** Throws `origin_not_allowed` for an unsafe request that no page of this server has sent. */
export type RequireSameOrigin = (request: FastifyRequest) => Promise<void>

/**
 * Cross-site requests are known by `Sec-Fetch-Site`, which a page cannot set, or else by `Origin`; a request with neither comes
 * from no browser. A development machine is reached by more than one loopback name, and where it listens everywhere (`HOST=0.0.0.0` without
 * `PUBLIC_URL`) by its private addresses, each with itself alone. Numbers only: a name could be made to resolve to it.
 */
export function createRequireSameOrigin(publicUrl: string): RequireSameOrigin {
  const own = new URL(publicUrl).origin
  return async ({ method, headers }) => {
    if (safeMethods.has(method)) return
    const site = headers['sec-fetch-site']
    const { origin, host } = headers
    const isOwn = origin === own || (isNearby(own, origin) && origin === `http://${host}`)
    if (site === undefined ? isOwn : site === 'same-origin') return
    throw refuse('origin_not_allowed', foreign)
  }
}

function isNearby(own: string, origin = ''): boolean {
  if (everywhere.test(own)) return loopback.test(origin) || privateAddress.test(origin)
  return loopback.test(own) && loopback.test(origin)
}
