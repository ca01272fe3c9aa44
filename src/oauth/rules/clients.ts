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
const MAX_NAME = 100

const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a redirect leads to the computer of the person who signs in (RFC 8252, 7.3). */
const isLoopback = (uri: string): boolean =>
  loopbacks.has(URL.parse(uri)?.hostname ?? '') && /^https?:/i.test(uri)

/** What is wrong with a client's metadata beyond what oidc-provider checks. */
export function metadataFault(metadata: {
  client_id?: string | undefined
  redirect_uris?: readonly string[] | undefined
  client_name?: string | undefined
}): string | undefined {
  const { client_id: id = '', redirect_uris: uris = [], client_name: name = '' } = metadata
  if (!name && kindOf(id) === 'document') return 'client_name is required'
  if (uris.length > MAX_REDIRECTS) return `redirect_uris must be at most ${MAX_REDIRECTS}`
  if (name.length > MAX_NAME || /\p{Cc}/u.test(name)) {
    return `client_name must be at most ${MAX_NAME} characters without control characters`
  }
  // RFC 9700, 2.1: an exact address, and never without TLS beyond this computer
  const open = uris.find((uri) => /^http:/i.test(uri) && !isLoopback(uri))
  return open && 'redirect_uris must use https, a loopback address or a private-use scheme'
}

/** A client as people see it: nobody vouches for its name, only for its addresses. */
export type ShownClient = {
  id: string
  name: string
  /** where its document lies, or else where it redirects to; the scheme of a private-use one */
  host: string
  redirectHost: string
  kind: ClientKind
  /** whether it runs on the computer of the person who signs in */
  isLoopback: boolean
  policyUrl?: string | undefined
}

type Metadata = {
  clientId: string
  clientName?: string | undefined
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
    redirectHost,
    kind,
    isLoopback: isLoopback(redirectUri),
    policyUrl: policyUri,
  }
}

const hostOf = (uri: string): string => {
  const { host = '', protocol = '' } = URL.parse(uri) ?? {}
  return /^https?:/i.test(uri) ? host : protocol
}
