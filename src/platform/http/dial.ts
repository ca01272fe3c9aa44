import { once } from 'node:events'
import { isIP, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import { OutboundError } from './failure.ts'
import { canonical } from './public-address.ts'
import type { Target } from './target.ts'

// Node's default of 250 ms is too short for distant hosts.
const ADDRESS_MS = 1_000

export type Dialled = { socket: Socket; address: string }

/** Opens a socket to one of these addresses; for https, with TLS and the host's certificate. */
export async function dial(
  target: Target,
  addresses: string[],
  signal: AbortSignal,
  ca?: string,
): Promise<Dialled> {
  const hosts = addresses.map((address) => ({ address, family: isIP(address) }))
  const tcp = openTcp({
    host: target.host,
    port: target.port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_MS,
    lookup: (_, __, answer) => answer(null, hosts),
  })
  await ready(tcp, 'connect', signal)
  const address = canonical(tcp.remoteAddress ?? '')
  if (!addresses.some((own) => canonical(own) === address)) {
    tcp.destroy()
    throw new OutboundError('refused_address')
  }
  if (!target.secure) return { socket: tcp, address }

  const tls = openTls({
    socket: tcp,
    host: target.host,
    ...(isIP(target.host) ? {} : { servername: target.host }),
    ...(ca === undefined ? {} : { ca }),
    ALPNProtocols: ['http/1.1'],
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot change it.
    rejectUnauthorized: true,
  })
  await ready(tls, 'secureConnect', signal)
  return { socket: tls, address }
}

async function ready(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal) {
  socket.on('error', () => {})
  try {
    await once(socket, event, { signal })
  } catch (error) {
    socket.destroy()
    const { code } = error as { code?: string }
    const [kind, what] =
      event === 'connect'
        ? (['connect', 'The connection could not be established'] as const)
        : (['tls', 'The TLS handshake failed'] as const)
    throw new OutboundError(kind, { what: code ? `${what} (${code}).` : `${what}.` })
  }
}
