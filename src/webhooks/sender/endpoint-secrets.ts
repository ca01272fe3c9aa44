import { headersContext } from '../store/endpoints.ts'
import { signingKeyContext } from '../store/signing-keys.ts'
import { type SealedKey, selectKeys } from '../store/valid-keys.ts'
import type { SenderDeps } from './send-request.ts'

/** Opens what is sealed for one endpoint, each once, and forgets it with the batch. */
export type EndpointSecrets = {
  /** The secrets of these keys that have not been erased, in this order. */
  of(keyIds: readonly string[]): Promise<string[]>
  /** The endpoint's own headers, from what is sealed of them in the row that the URL was read from. */
  headersOf(sealed: string | null): Readonly<Record<string, string>>
}

/**
 * What is sealed: the headers, null when the endpoint has none, and the keys that are known already. They are opened at once: whoever
 * cannot does not begin.
 */
export function openSecrets(
  { db, sealer }: Pick<SenderDeps, 'db' | 'sealer'>,
  endpointId: string,
  sealed: { headers: string | null; keys?: readonly SealedKey[] },
): EndpointSecrets {
  const openKey = ({ id, secret }: SealedKey) =>
    [id, sealer.open(secret, signingKeyContext(id))] as const
  const openHeaders = (sealed: string | null) => ({
    sealed,
    headers: sealed ? JSON.parse(sealer.open(sealed, headersContext(endpointId))) : {},
  })
  const secrets = new Map((sealed.keys ?? []).map(openKey))
  let opened = openHeaders(sealed.headers)
  return {
    headersOf(sealed) {
      if (sealed !== opened.sealed) opened = openHeaders(sealed)
      return opened.headers
    },
    async of(keyIds) {
      const unknown = keyIds.filter((id) => !secrets.has(id))
      const keys = unknown.length > 0 ? await selectKeys(db, unknown) : []
      for (const [id, secret] of keys.map(openKey)) secrets.set(id, secret)
      return keyIds.map((id) => secrets.get(id)).filter((secret) => secret !== undefined)
    },
  }
}
