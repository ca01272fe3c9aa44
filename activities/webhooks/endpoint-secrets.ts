import { headersContext } from '../../src/store/endpoints.ts'
import { signingKeyContext } from '../../src/store/signing-keys.ts'
import { selectKeys } from '../../src/store/valid-keys.ts'
import type { SenderDeps } from './send-request.ts'

/** Opens what is sealed for one endpoint, each once, and forgets it with the batch. */
export type EndpointSecrets = {
  /** The secrets of these keys that have not been erased, in this order. */
  of(keyIds: readonly string[]): Promise<string[]>
  /** The endpoint's own headers. */
  headers: Readonly<Record<string, string>>
}

/** `sealedHeaders` is null when the endpoint has none. */
export function openSecrets(
  { db, sealer }: Pick<SenderDeps, 'db' | 'sealer'>,
  endpointId: string,
  sealedHeaders: string | null,
): EndpointSecrets {
  const secrets = new Map<string, string>()
  const headers = sealedHeaders
    ? JSON.parse(sealer.open(sealedHeaders, headersContext(endpointId)))
    : {}
  return {
    headers,
    async of(keyIds) {
      const unknown = keyIds.filter((id) => !secrets.has(id))
      const keys = unknown.length > 0 ? await selectKeys(db, unknown) : []
      for (const { id, secret } of keys) {
        secrets.set(id, sealer.open(secret, signingKeyContext(id)))
      }
      return keyIds.map((id) => secrets.get(id)).filter((secret) => secret !== undefined)
    },
  }
}
