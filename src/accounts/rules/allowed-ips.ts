import ipaddr from 'ipaddr.js'

/** Maximum networks per key. */
export const MAX_ALLOWED_IPS = 50

/** The stored form of an address or a range such as `203.0.113.0/24`; undefined for other text. */
export function networkOf(text: string): string | undefined {
  const [base = '', ...prefix] = text.trim().split('/')
  if (!isAddress(base) || prefix.length > 1) return undefined
  const address = prefix.length === 0 ? ipaddr.process(base).toString() : base
  const bits = ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128
  const [length = String(bits)] = prefix
  if (!/^\d{1,3}$/.test(length) || Number(length) > bits) return undefined
  const kind = bits === 32 ? ipaddr.IPv4 : ipaddr.IPv6
  const network = kind.networkAddressFromCIDR(`${address}/${Number(length)}`)
  return Number(length) === bits ? network.toString() : `${network}/${Number(length)}`
}

/** Whether an address is in one of the networks. IPv4 mapped to IPv6 counts as IPv4. */
export function isInside(address: string, networks: readonly string[]): boolean {
  if (!isAddress(address)) return false
  const caller = ipaddr.process(address)
  return networks.some((network) => {
    const [base, length] = rangeOf(network)
    return base.kind() === caller.kind() && caller.match(base, length)
  })
}

/** Whether every address in these networks is in one of `limits`. */
export const areInside = (networks: readonly string[], limits: readonly string[]): boolean =>
  networks.every((network) => {
    const [base, length] = rangeOf(network)
    return limits.some((limit) => isInside(base.toString(), [limit]) && length >= rangeOf(limit)[1])
  })

function rangeOf(network: string): ReturnType<typeof ipaddr.parseCIDR> {
  if (network.includes('/')) return ipaddr.parseCIDR(network)
  const base = ipaddr.parse(network)
  return [base, base.kind() === 'ipv4' ? 32 : 128]
}

/** Four decimal numbers, or IPv6 without a zone id. */
const isAddress = (text: string) =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'))
