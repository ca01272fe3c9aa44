import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { isPublic } from '../platform/http/public-address.ts'

/** Variables as they were given. */
export type Environment = Record<string, string | undefined>
type Keys = readonly { key: KeyObject }[]

/** Whether only this machine or a private network can reach the address. */
function isPrivate(url: string): boolean {
  if (!URL.canParse(url)) return true
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return !isPublic(host)
  return !host.includes('.') || host.endsWith('.localhost')
}

/**
 * Why a service in this mode must not be public; undefined if it may be. Outside production, pro is
 * free, emails can be read in the browser, keys are generated and webhooks may call this machine.
 */
export const publicOutsideProduction = ({
  NODE_ENV = 'development',
  PUBLIC_URL = '',
}: Environment): string | undefined =>
  NODE_ENV === 'production' || isPrivate(PUBLIC_URL)
    ? undefined
    : `PUBLIC_URL is ${PUBLIC_URL}, which others can reach, and NODE_ENV is ${NODE_ENV}. Set ` +
      'NODE_ENV=production, or remove PUBLIC_URL.'

/** Why an API behind a TLS proxy must know the proxy's address; undefined if it knows it. */
export const unknownProxy = ({
  NODE_ENV,
  PUBLIC_URL = '',
  TRUSTED_PROXIES = '',
}: Environment): string | undefined =>
  NODE_ENV !== 'production' || !PUBLIC_URL.startsWith('https:') || /\w/.test(TRUSTED_PROXIES)
    ? undefined
    : `TRUSTED_PROXIES must list the address of the proxy that serves ${PUBLIC_URL}: without it ` +
      'all clients share the limits of one IP address.'

/** Whether the two lists have a key in common. */
export const shareKey = (ones: Keys = [], others: Keys = []): boolean =>
  ones.some(({ key }) => others.some((other) => other.key.equals(key)))

export const missingMode =
  'NODE_ENV must be given: production for a service that others use, development for one on this ' +
  'machine only.'
