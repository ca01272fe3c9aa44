import { Provider } from 'oidc-provider'
import { selectOptionalClient } from '../../oauth/store/clients.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Outbound } from '../../platform/http/client.ts'
import { OutboundError } from '../../platform/http/failure.ts'

const MAX_BYTES = 16_384
const DEADLINE_MS = 3_000

/** How long a document serves without being read again, whatever its headers say, in seconds. */
export const documentCache = { min: 60, max: 3_600 }

/**
 * Reads what a client publishes about itself: by https from a public address, without redirects, at
 * most 16 kB. While its host is away or fails, tokens continue with what the client last said; but
 * nobody connects it anew. A document that its host denies ends them.
 */
export const createFetchDocument =
  (outbound: Outbound, db: Db) =>
  async (url: unknown): Promise<Response> => {
    const address = String(url)
    const answer = await read(outbound, address).catch((error: Error) => error)
    if (answer instanceof Response) return answer
    const isNew = Provider.ctx?.oidc?.route === 'authorization'
    const isAway = !isNew && answer instanceof OutboundError
    const stored = isAway ? await selectOptionalClient(db, address) : undefined
    if (!stored) throw answer
    return Response.json({ ...stored.metadata, client_id: address })
  }

async function read(outbound: Outbound, url: string): Promise<Response> {
  const { status, headers, body, truncated } = await outbound.send({
    url,
    method: 'GET',
    headers: { accept: 'application/json' },
    deadlineMs: DEADLINE_MS,
    maxBodyBytes: MAX_BYTES,
    who: 'client documents',
  })
  if (truncated) throw new Error(`The document is larger than ${MAX_BYTES} bytes.`)
  if (status >= 500) throw new OutboundError('bad_answer')
  if (status !== 200) throw new Error(`The document was answered with HTTP ${status}.`)
  return new Response(new Uint8Array(body), { headers })
}
