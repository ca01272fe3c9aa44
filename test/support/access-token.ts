import { randomBytes } from 'node:crypto'
import { newToken } from '../../src/accounts/store/token-secret.ts'
import { tokenPrefixes } from '../../src/base/ids.ts'
import type { Scope } from '../../src/base/scopes.ts'
import { resourceOf, type TokenAudience } from '../../src/oauth/rules/resources.ts'
import { startGrant } from '../../src/oauth/steps/start-grant.ts'
import { upsertArtifact } from '../../src/oauth/store/artifacts.ts'
import { type Browser, openBrowser } from './developers.ts'
import type { Doors } from './open-doors.ts'

type Wish = {
  scopes?: readonly Scope[]
  audience?: TokenAudience
  tier?: 'free' | 'pro'
  minutes?: number
}

/** Adds a grant of a member, and an access token of it, as after a consent. */
export async function addToken(
  { db, sealer }: Pick<Doors, 'db' | 'sealer'>,
  { accountId, developerId }: Pick<Browser, 'accountId' | 'developerId'>,
  { scopes = ['bookings'], audience = 'api', minutes = 15 }: Wish = {},
): Promise<{ token: string; grantId: string }> {
  const metadata = { client_name: 'Test assistant', redirect_uris: ['https://test.example/'] }
  const grantId = await startGrant(
    { db, sealer },
    {
      client: { id: 'test-assistant', name: 'Test assistant', metadata, hash: randomBytes(32) },
      ...{ accountId, developerId, scopes },
      resources: [resourceOf('http://127.0.0.1:3000', audience)],
      redirectUri: 'https://test.example/',
      by: { door: 'dashboard', address: '127.0.0.1', requestId: 'test' },
    },
  )
  const token = tokenPrefixes.access + newToken()
  const expiresAt = new Date(Date.now() + minutes * 60_000)
  const artifact = { kind: 'AccessToken', value: token, grantId, scopes, audience, expiresAt }
  await upsertArtifact(db, sealer, { ...artifact, payload: {} })
  return { token, grantId }
}

/** A member of a new account, with an access token. */
export async function openTokenHolder(doors: Doors, wish: Wish = {}) {
  const member = await openBrowser(doors, wish)
  return { ...member, ...(await addToken(doors, member, wish)) }
}
