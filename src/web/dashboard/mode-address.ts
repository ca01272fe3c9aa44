import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** The mode of a dashboard page: the live account, its sandbox, or a test clock’s sandbox. */
export type Mode = 'live' | 'test' | { readonly clock: string }

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const OF_TEST = /^\/dashboard\/test(?=[/?#]|$)/
const OF_CLOCK = new RegExp(`^/dashboard/clocks/(${ID})(?=[/?#]|$)`)
/** Pages about a test clock itself, which belong to the live account. */
const ABOUT_CLOCK = /^\/(?:move|delete)(?=[?#]|$)/

/** Splits an address into the mode that it names and the address within that mode. */
export function splitMode(address: string): { mode: Mode; path: string } {
  const [, clock] = OF_CLOCK.exec(address) ?? []
  if (clock) {
    const rest = address.replace(OF_CLOCK, '')
    return { mode: { clock }, path: ABOUT_CLOCK.test(rest) ? address : `/dashboard${rest}` }
  }
  const isTest = OF_TEST.test(address)
  return { mode: isTest ? 'test' : 'live', path: address.replace(OF_TEST, '/dashboard') }
}

const modes = new WeakMap<IncomingMessage, Mode>()

/** The address used for routing. Also stores the mode in which the request acts. */
export function routedAddress(raw: IncomingMessage): string {
  const { mode, path } = splitMode(raw.url ?? '/')
  if (mode !== 'live') modes.set(raw, mode)
  return path
}

export const modeOf = ({ raw }: FastifyRequest): Mode => modes.get(raw) ?? 'live'

/** From here on, treats the request as one for the live account. */
export const leaveMode = ({ raw }: FastifyRequest): boolean => modes.delete(raw)

/** The address of a page in the given mode. */
export function inMode(mode: Mode, path: string): string {
  if (mode === 'live') return path
  return path.replace(
    /^\/dashboard/,
    mode === 'test' ? '/dashboard/test' : `/dashboard/clocks/${mode.clock}`,
  )
}

// Other accounts, operators and payments have no mode, although a link may contain one.
const OWN = `/dashboard(?=[/?#]|$)(?!/(?:test|operators|accounts|payments|clocks/${ID})(?=[/?#]|$))`
const ownAddress = new RegExp(`^${OWN}`)
const attributes = new RegExp(
  `(?<!data-mode )\\b((?:href|action|(?:data-)?src)=")(${OWN.replaceAll('|$', '|"')}[^"]*)`,
  'g',
)

/** Rewrites the links and forms of a page to stay in the page's mode. */
export const linksInMode = (request: FastifyRequest, markup: string): string => {
  const mode = modeOf(request)
  if (mode === 'live') return markup
  return markup.replaceAll(attributes, (_, name: string, path: string) => name + inMode(mode, path))
}

/** The target of a redirect from a page in this mode. */
export const redirectInMode = (request: FastifyRequest, path: string): string =>
  ownAddress.test(path) ? inMode(modeOf(request), path) : path
