/** How a client came to be known; `document` is a client id metadata document. */
export const clientKinds = ['document', 'registered', 'predefined'] as const
export type ClientKind = (typeof clientKinds)[number]

/** The beginning of the ids of clients that registered themselves (RFC 7591). */
export const REGISTERED_PREFIX = 'registered-'

/** A client's kind, from the form of its id. */
export const kindOf = (clientId: string): ClientKind => {
  if (/^https:/i.test(clientId)) return 'document'
  return clientId.startsWith(REGISTERED_PREFIX) ? 'registered' : 'predefined'
}

/** A name that an operator may give a client. */
export const predefinedName = /^(?!registered-)[a-z0-9][a-z0-9._-]{1,63}$/

const MAX_REDIRECTS = 20
const MAX_REDIRECT = 2_048
const MAX_NAME = 100

const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a redirect leads to the computer of the person who signs in (RFC 8252, 7.3). */
const isLoopback = (uri: string): boolean =>
  loopbacks.has(URL.parse(uri)?.hostname ?? '') && /^https?:/i.test(uri)

/** Pages that pass each code on to whichever program on the device asked for it. */
const forwarders = /^(?:insiders\.)?vscode\.dev$/

const isLocal = (uri: string): boolean =>
  !/^https:/i.test(uri) || isLoopback(uri) || forwarders.test(URL.parse(uri)?.hostname ?? '')

/** Exact addresses: another page of these hosts may be anybody’s. */
const knownCallbacks = [
  /^https:\/\/claude\.(ai|com)\/api\/mcp\/auth_callback$/,
  /^https:\/\/chatgpt\.com\/connector(_platform_oauth_redirect|\/oauth\/[\w-]{1,64})$/,
]

/** An address with a host and nothing before it, which all parsers read alike. */
const webAddress = /^https?:\/\/[^/\\@?#]+(?:[/?]|$)/i
const privateUse = /^[a-z][a-z\d+.-]*:\//i
/** Schemes of networks and operating systems, which belong to no single program. */
const systemScheme =
  /^(s?ftps?|wss?|file|intent|smb|nfs|ldaps?|ssh|telnet|jar|(ms|itms|chrome|search)(-.+)?):/i

/** RFC 9700, 2.1: an exact address, and never without TLS beyond this computer. */
function isRedirect(uri: unknown): boolean {
  if (typeof uri !== 'string' || uri.length > MAX_REDIRECT) return false
  if (!/^https?:/i.test(uri)) return privateUse.test(uri) && !systemScheme.test(uri)
  return webAddress.test(uri) && (/^https:/i.test(uri) || isLoopback(uri))
}

/** A name that cannot pass for an address, for our own words around it or for none. */
const isName = (name: unknown): boolean =>
  typeof name === 'string' &&
  name.length <= MAX_NAME &&
  /[\p{L}\p{N}]/u.test(name) &&
  !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"“”„«»]|:\/\/|\.\w+\//u.test(name)

/** What is wrong with a client's metadata beyond what oidc-provider checks. */
export function metadataFault(metadata: Readonly<Record<string, unknown>>): string | undefined {
  const { client_id: id = '', redirect_uris: uris = [], client_name: name } = metadata
  if (name === undefined ? kindOf(String(id)) === 'document' : !isName(name)) {
    return (
      `client_name must be at most ${MAX_NAME} visible characters, some of them letters or ` +
      'digits, without quotation marks and addresses'
    )
  }
  if (!Array.isArray(uris) || uris.length > MAX_REDIRECTS) {
    return `redirect_uris must be an array of at most ${MAX_REDIRECTS}`
  }
  if (!uris.every(isRedirect)) {
    return 'redirect_uris must use https, a loopback address or a private-use scheme'
  }
  // PostgreSQL stores neither U+0000 nor halves of surrogate pairs.
  return /\\u(0000|d[89a-f])/.test(JSON.stringify(metadata))
    ? 'the metadata holds characters that no text can hold'
    : undefined
}

/** A client as people see it: nobody vouches for its name, only for its addresses. */
export type ShownClient = {
  id: string
  name: string
  /** where its document lies, or else where it redirects to; the scheme of a private-use one */
  host: string
  redirectUri: string
  redirectHost: string
  kind: ClientKind
  /** whether the answer goes to a program on the person’s own device, which nothing identifies */
  isLocal: boolean
  /** whether the network knows who gets the answer; if not, pages warn */
  isKnown: boolean
  policyUrl?: string | undefined
}

type Metadata = {
  clientId: string
  clientName?: string | null | undefined
  policyUri?: string | undefined
}

/** Describes a client to the person who is asked for consent. */
export function showClient(
  { clientId, clientName, policyUri }: Metadata,
  redirectUri: string,
): ShownClient {
  const kind = kindOf(clientId)
  const redirectHost = hostOf(redirectUri)
  const host = kind === 'document' ? hostOf(clientId) : redirectHost
  return {
    id: clientId,
    name: clientName?.trim() || host,
    host,
    redirectUri,
    redirectHost,
    kind,
    isLocal: isLocal(redirectUri),
    isKnown: kind === 'predefined' || knownCallbacks.some((one) => one.test(redirectUri)),
    policyUrl: policyUri,
  }
}

const hostOf = (uri: string): string => {
  const { host = '', protocol = '' } = URL.parse(uri) ?? {}
  return /^https?:/i.test(uri) ? host : protocol
}
