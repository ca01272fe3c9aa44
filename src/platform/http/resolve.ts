import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { OutboundError } from './failure.ts'
import { isLoopback, isPublic } from './public-address.ts'
import { namesLoopback, type OutboundPolicy, type Target } from './target.ts'

/** A name's current addresses; an empty list, or a rejection, if it has none. */
export type Resolve = (name: string) => Promise<string[]>

/** A target's current addresses. Throws if a single one is unacceptable. */
export async function resolveTarget(
  target: Target,
  policy: OutboundPolicy,
  resolvers: { names: Resolve; allowed: Resolve },
): Promise<string[]> {
  const { host, allowed } = target
  if (isIP(host)) return [host]
  if (namesLoopback(host) && !allowed) return ['127.0.0.1', '::1']
  const resolve = allowed ? resolvers.allowed : resolvers.names
  const addresses = await resolve(host).catch(() => [])
  if (addresses.length === 0) throw new OutboundError('dns')
  const acceptable = (address: string) =>
    allowed || isPublic(address) || (policy.allowLoopback && isLoopback(address))
  if (!addresses.every(acceptable)) {
    throw new OutboundError('refused_address', {
      what: 'The name resolves to an address that is not public.',
    })
  }
  return addresses
}

/**
 * Queries name servers, by default the system's. With getaddrinfo, a hostile server could block one
 * of libuv's four threads; it also reads /etc/hosts.
 */
export function askNameServers(servers?: string[]): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    const families = [resolver.resolve4(name), resolver.resolve6(name)]
    const answers = await Promise.allSettled(families)
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/** For names that the operator has allowed. */
export const askSystem: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)
