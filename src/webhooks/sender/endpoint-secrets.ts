import { headersContext } from '../store/endpoints.ts'
import { type SealedKey, selectKeys, signingKeyContext } from '../store/signing-keys.ts'
import type { SenderDeps } from './send-request.ts'

/** Decrypts an endpoint's sealed headers and keys, each only once. */
export type EndpointSecrets = {
  /** Custom headers, and the secrets in the order of `signed_with`, without erased ones. */
  open(sealed: { headers: string | null; signed_with: readonly string[] }): Promise<{
    headers: Readonly<Record<string, string>>
    secrets: string[]
  }>
}

/** Decrypts the initial secrets at once, so that a wrong SECRETS_KEY fails before any request. */
export function openSecrets(
  { db, sealer }: Pick<SenderDeps, 'db' | 'sealer'>,
  endpointId: string,
  initial: { headers: string | null; keys?: readonly SealedKey[] },
): EndpointSecrets {
  const openKey = ({ id, secret }: SealedKey) =>
    [id, sealer.open(secret, signingKeyContext(id))] as const
  const openHeaders = (sealed: string | null) => ({
    sealed,
    headers: sealed ? JSON.parse(sealer.open(sealed, headersContext(endpointId))) : {},
  })
  const secrets = new Map((initial.keys ?? []).map(openKey))
  let opened = openHeaders(initial.headers)
  return {
    async open(sealed) {
      if (sealed.headers !== opened.sealed) opened = openHeaders(sealed.headers)
      const { headers } = opened
      const unknown = sealed.signed_with.filter((id) => !secrets.has(id))
      const keys = unknown.length > 0 ? await selectKeys(db, unknown) : []
      for (const [id, secret] of keys.map(openKey)) secrets.set(id, secret)
      const signing = sealed.signed_with.map((id) => secrets.get(id))
      return { headers, secrets: signing.filter((secret) => secret !== undefined) }
    },
  }
}
