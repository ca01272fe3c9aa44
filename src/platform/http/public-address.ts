import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const ranges = (text: string) => text.split(/\s+/).map((range) => ipaddr.parseCIDR(range))

// IANA's special-purpose ranges, multicast, obsolete transition ranges, Azure's metadata service.
const special4 = ranges(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 ' +
    '192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 ' +
    '192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
)
// Refuses all others: mapped, compatible, NAT64, discard, ULA, link- and site-local, multicast.
const global6 = ipaddr.parseCIDR('2000::/3')
const special6 = ranges('2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20')

/** Whether an address is globally routable unicast, according to our list and to ipaddr.js. */
export function isPublic(text: string): boolean {
  const address = parse(text)
  if (address?.range() !== 'unicast') return false
  if (address.kind() === 'ipv4') return !special4.some((range) => address.match(range))
  return address.match(global6) && !special6.some((range) => address.match(range))
}

/** 127.0.0.0/8 and ::1, not their mapped forms. */
export const isLoopback = (text: string): boolean => parse(text)?.range() === 'loopback'

/** A single spelling for each address, for comparison. */
export const canonical = (text: string): string => parse(text)?.toNormalizedString() ?? text

const parse = (text: string) => (isIP(text) && !text.includes('%') ? ipaddr.parse(text) : undefined)
