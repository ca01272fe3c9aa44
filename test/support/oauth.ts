import * as client from 'oauth4webapi'
import type { Browser } from './developers.ts'
import type { Doors } from './open-doors.ts'

/** The public address of `openDoors`. */
export const PUBLIC_URL = 'http://127.0.0.1:3000'

/** The address of an assistant that the network knows. */
export const KNOWN_REDIRECT = 'https://claude.ai/api/mcp/auth_callback'

/** Where the clients of tests are redirected; nothing listens there. */
export const REDIRECT = 'http://127.0.0.1:41999/callback'

type Server = Pick<Doors, 'url'> & { publicUrl?: string }
type Options = {
  resource?: string
  scope?: string
  redirect?: string
  /** changes the parameters of the request */
  more?: Record<string, string | undefined>
}
type Redirect = { params: URLSearchParams; verifier: string; redirect: string }
type Person = Pick<Browser, 'cookie' | 'accountId'>
export type IndependentClient = ReturnType<typeof openIndependentClient>

/** A browser's cookies for one server. */
type Jar = Map<string, { value: string; path: string }>

/**
 * An independent OAuth client (oauth4webapi) and a browser, both without a user interface. What is
 * addressed to the public address goes to where the doors listen.
 */
export function openIndependentClient({ url, publicUrl = PUBLIC_URL }: Server) {
  const moved = (to: string | URL) => String(to).replace(publicUrl, url)
  const options = {
    [client.allowInsecureRequests]: true,
    [client.customFetch]: (to: string, init: object) => fetch(moved(to), init),
  }
  const issuer = new URL(publicUrl)
  const discover = async () =>
    client.processDiscoveryResponse(
      issuer,
      await client.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
    )

  return {
    options,
    discover,
    async register(metadata: Partial<client.Client> = {}): Promise<client.Client> {
      const wanted = { client_name: 'Test assistant', redirect_uris: [REDIRECT], ...metadata }
      return client.processDynamicClientRegistrationResponse(
        await client.dynamicClientRegistrationRequest(await discover(), wanted, options),
      )
    },
    /** The address to which a client sends its user. */
    async prepare(
      own: client.Client,
      { resource, scope, redirect = REDIRECT, more = {} }: Options = {},
    ) {
      const { authorization_endpoint = '' } = await discover()
      const verifier = client.generateRandomCodeVerifier()
      const address = new URL(authorization_endpoint)
      const params = {
        client_id: own.client_id,
        redirect_uri: redirect,
        response_type: 'code',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: 'opaque',
        ...(resource && { resource }),
        ...(scope && { scope }),
        ...more,
      }
      const sent = Object.entries(params).filter((entry): entry is [string, string] => !!entry[1])
      address.search = new URLSearchParams(sent).toString()
      return { address, verifier, redirect }
    },
    /** Opens the address to which a client sends its user; returns where the browser is sent. */
    async authorize(own: client.Client, options?: Options) {
      const { address, ...asked } = await this.prepare(own, options)
      const jar: Jar = new Map()
      return { ...(await visit(moved(address), jar)), ...asked, jar }
    },
    /** Answers the consent page as a person; returns where the browser ends up. */
    async answer(
      { location, jar, ...asked }: Pick<Redirect, 'verifier' | 'redirect'> & Visit & { jar: Jar },
      { cookie, accountId }: Person,
      answer: 'allow' | 'cancel' = 'allow',
    ) {
      const body = new URLSearchParams({ answer, account: accountId })
      const sent = await visit(url + location, jar, { method: 'POST', body }, cookie)
      const back = await visit(moved(sent.location), jar)
      const params = new URLSearchParams(URL.parse(back.location)?.search)
      return { ...asked, ...back, params, resumed: sent.location, jar }
    },
    /** Signs a person in to a client, from the request to the tokens. */
    async signIn(own: client.Client, person: Person, options: Options = {}) {
      const back = await this.answer(await this.authorize(own, options), person)
      return this.exchange(own, back)
    },
    visit: (to: string, jar: Jar, cookie = '') => visit(moved(to), jar, {}, cookie),
    /** Exchanges the code of a redirect for tokens. */
    async exchange(
      own: client.Client,
      { params, verifier, redirect }: Redirect,
      resource?: string,
    ) {
      const server = await discover()
      const checked = client.validateAuthResponse(server, own, params, 'opaque')
      const more = resource ? { additionalParameters: { resource } } : {}
      const answer = await client.authorizationCodeGrantRequest(
        ...([server, own, authOf(own), checked, redirect, verifier] as const),
        { ...options, ...more },
      )
      return client.processAuthorizationCodeResponse(server, own, answer)
    },
    async refresh(own: client.Client, token: string) {
      const server = await discover()
      return client.processRefreshTokenResponse(
        server,
        own,
        await client.refreshTokenGrantRequest(server, own, authOf(own), token, options),
      )
    },
    async revoke(own: client.Client, token: string) {
      const answer = client.revocationRequest(await discover(), own, authOf(own), token, options)
      return client.processRevocationResponse(await answer)
    },
  }
}

type Wishes = { redirect?: string; others?: string[]; scope?: string; name?: string }
export type OAuthClient = Awaited<ReturnType<typeof openOAuthClient>>

/** Registers a client whose user has a browser of their own: `authorize` is the path to open. */
export async function openOAuthClient(server: Server, wishes: Wishes = {}) {
  const { redirect = KNOWN_REDIRECT, others = [], scope = 'bookings', name = 'Claude' } = wishes
  const oauth = openIndependentClient(server)
  const redirect_uris = [...others, redirect]
  const own = await oauth.register({ client_name: name, redirect_uris })
  const resource = `${server.publicUrl ?? PUBLIC_URL}/api`
  const { address, ...asked } = await oauth.prepare(own, { resource, scope, redirect })
  return {
    authorize: address.pathname + address.search,
    /** Exchanges the code in the address to which the browser was sent back. */
    exchange: ({ searchParams: params }: URL) => oauth.exchange(own, { ...asked, params }),
  }
}

const authOf = ({ client_secret: secret }: client.Client) =>
  typeof secret === 'string' ? client.ClientSecretBasic(secret) : client.None()

type Visit = Awaited<ReturnType<typeof visit>>

async function visit(to: string, jar: Jar, init: RequestInit = {}, more = '') {
  const { pathname, origin } = new URL(to)
  const own = [...jar].filter(([, { path }]) => pathname.startsWith(path))
  const cookie = [more, ...own.map(([name, { value }]) => `${name}=${value}`)].filter(Boolean)
  const answer = await fetch(to, {
    ...init,
    redirect: 'manual',
    headers: { accept: 'text/html', origin, ...init.headers, cookie: cookie.join('; ') },
  })
  for (const one of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
    jar.set(name, { value, path: /path=([^;]+)/i.exec(one)?.[1] ?? '/' })
  }
  const body = await answer.text()
  const location = answer.headers.get('location') ?? ''
  return { status: answer.status, location, headers: answer.headers, body }
}
