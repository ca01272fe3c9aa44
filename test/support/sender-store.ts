import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import type { OutboundAnswer, OutboundRequest } from '../../src/platform/http/client.ts'
import { createSealer, type Sealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import type { SendOrder, SendReport } from '../../src/webhooks/rules/batch-messages.ts'
import type { EndpointStart } from '../../src/webhooks/rules/endpoint-messages.ts'
import { sendDue } from '../../src/webhooks/sender/send-due.ts'
import type { SenderDeps } from '../../src/webhooks/sender/send-request.ts'
import { proveEndpoint, requireProof } from '../../src/webhooks/store/endpoint-states.ts'
import { headersContext } from '../../src/webhooks/store/endpoints.ts'
import { readableLog } from './lines.ts'

/** An endpoint's answer to every request. */
export type EndpointAnswer = { status: number; headers?: Record<string, string>; body?: string }

/** The sender's activities on a database, with subscribers as a function. */
export type StoreSender = {
  deps: SenderDeps
  sealer: Sealer
  requests: OutboundRequest[]
  /** One batch; missing fields default to those of a new run. */
  batch(start: EndpointStart, order?: Partial<SendOrder>): Promise<SendReport>
}

export function storeSender(
  db: Pool,
  answer: (request: OutboundRequest) => EndpointAnswer | Promise<EndpointAnswer>,
): StoreSender {
  const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
  const requests: OutboundRequest[] = []
  const outbound = {
    async send(request: OutboundRequest): Promise<OutboundAnswer> {
      requests.push(request)
      const { status, headers = {}, body = 'said' } = await answer(request)
      return { status, headers, body: Buffer.from(body), truncated: false, ms: 1 }
    },
  } as SenderDeps['outbound']
  const { log } = readableLog()
  const deps = { db, sealer, outbound, log, count: () => {}, heldDays: 30 }
  const unknowing = { breaker: null, concurrency: 5, paceAt: 0, provedAt: null, seed: 7 }
  const { signal } = new AbortController()
  return {
    deps,
    sealer,
    requests,
    batch: (start, order) =>
      sendDue(deps, start, { ...unknowing, at: Date.now(), ...order }, signal),
  }
}

/** Gives an endpoint another URL and other headers, verified at once. */
export async function moveEndpoint(
  db: Pool,
  sealer: Sealer,
  { endpointId: id }: EndpointStart,
  { url, headers }: { url: string; headers?: Record<string, string> },
): Promise<void> {
  const sealed = headers ? sealer.seal(JSON.stringify(headers), headersContext(id)) : null
  await transaction(db, async (tx) => {
    await tx.query('update endpoint set url = $2, headers = $3 where id = $1', [id, url, sealed])
    await requireProof(tx, id, 'proof of the new address')
  })
  await proveEndpoint(db, { id, challenge: 'proof of the new address', at: new Date() })
}
