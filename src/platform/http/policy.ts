import { isLoopback } from './public-address.ts'

/** Which targets the client may reach; decided once per process. */
export type OutboundPolicy = {
  /** `host:port` of targets that may be private and may speak plain http, exactly as in their URLs */
  allow: readonly string[]
  /** plain http to `allow` only */
  httpsOnly: boolean
  /** loopback is as good as a public address, at any port */
  allowLoopback: boolean
  /** of public targets */
  ports: readonly number[]
  /** open at any moment, idle ones included */
  maxSockets: number
}

/** https everywhere in production; elsewhere http too, and loopback for a service that listens on loopback itself. */
export function outboundPolicy(config: {
  NODE_ENV: string
  HOST: string
  OUTBOUND_ALLOW: readonly string[]
  OUTBOUND_SOCKETS: number
}): OutboundPolicy {
  const production = config.NODE_ENV === 'production'
  return {
    allow: config.OUTBOUND_ALLOW,
    httpsOnly: production,
    allowLoopback: !production && (config.HOST === 'localhost' || isLoopback(config.HOST)),
    ports: production ? [443, 8443] : [80, 443, 8080, 8443],
    maxSockets: config.OUTBOUND_SOCKETS,
  }
}
