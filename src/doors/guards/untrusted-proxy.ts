import type { FastifyInstance } from 'fastify'
import type { Log } from '../../platform/telemetry/log.ts'

/**
 * Warns once about a request that names its client but comes from outside TRUSTED_PROXIES. If the
 * sender is a proxy, limits per IP address treat all its clients as one.
 */
export function warnOfUntrustedProxy(app: FastifyInstance, log: Log): void {
  let isWarned = false
  app.addHook('onRequest', ({ headers, ip, socket }, _reply, done) => {
    // For a trusted proxy, `ip` would be the client that the proxy names.
    if (!isWarned && headers['x-forwarded-for'] !== undefined && ip === socket.remoteAddress) {
      isWarned = true
      log.warn({ peer: ip }, 'a proxy is not in TRUSTED_PROXIES')
    }
    done()
  })
}
