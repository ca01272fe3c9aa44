import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../support/programs.ts'

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const webhook = new Webhook(secret)

/** A statement as it arrived, and whether the library verified its signature. */
type Received = { id: string; isSigned: boolean; at: number; message: any }

export type FakeNetwork = {
  answerUrl(venueId: string): string
  received: Received[]
  /** Answers the next statements with these statuses and headers, then with 200 again. */
  answerNext(...answers: { status: number; headers?: Record<string, string> }[]): void
  /** Resolves with all statements received, once there are this many. */
  arrivals(count: number): Promise<Received[]>
  close(): Promise<void>
}

/** Whether the library accepts these headers for this body. */
export function isSigned(body: string | Buffer, headers: unknown): boolean {
  try {
    webhook.verify(body, headers as Record<string, string>, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

/** The three headers of a network message. */
export function sign(id: string, body: string, at = new Date(), signer = webhook) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signer.sign(id, at, body),
  }
}

/** The network's side of the connector protocol, as a venue sees it. */
export async function openFakeNetwork(): Promise<FakeNetwork> {
  const app = fastify({ forceCloseConnections: true })
  const received: Received[] = []
  const planned: { status: number; headers?: Record<string, string> }[] = []
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
  app.post('/api/venue-connector/:venue', async ({ headers, body }, reply) => {
    const id = String(headers['webhook-id'])
    const text = body as string
    const entry = { id, isSigned: isSigned(text, headers), at: Date.now() }
    received.push({ ...entry, message: JSON.parse(text) })
    const { status, headers: more = {} } = planned.shift() ?? { status: 200 }
    const answer = JSON.stringify({ received: status === 200 })
    return reply
      .code(status)
      .headers({ ...sign(id, answer), ...more, 'content-type': 'application/json' })
      .send(answer)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return {
    answerUrl: (venueId) => `http://127.0.0.1:${port}/api/venue-connector/${venueId}`,
    received,
    answerNext: (...answers) => planned.push(...answers),
    arrivals: (count) =>
      eventually(`${count} statements`, async () => received.length >= count && received),
    close: () => app.close(),
  }
}
