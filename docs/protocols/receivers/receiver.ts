// Receives webhooks, verifies each, and signs the challenge. Node 22.18 or newer, no packages.
//   WEBHOOK_SECRET=whsec_… PORT=8090 node receiver.ts
// While a secret is being changed, list both, separated by a space.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

const TOLERANCE_S = 300
const MOST_BYTES = 1_000_000
const keys = (process.env.WEBHOOK_SECRET ?? '')
  .split(' ')
  .filter(Boolean)
  .map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
if (keys.length === 0) throw new Error('Set WEBHOOK_SECRET to the secret that was shown.')

/** Standard Webhooks: signs the content with each of our keys. */
function signaturesOf(headers: Record<string, unknown>, content: Buffer | string): string[] {
  const prefix = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`
  const mac = (key: Buffer) => createHmac('sha256', key).update(prefix).update(content)
  return keys.map((key) => `v1,${mac(key).digest('base64')}`)
}

/** One signature over the raw bytes, with one of our keys, is enough. */
function isSigned(headers: Record<string, unknown>, body: Buffer): boolean {
  const timestamp = String(headers['webhook-timestamp'] ?? '')
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_S)) return false
  const signatures = String(headers['webhook-signature'] ?? '').split(' ')
  return signaturesOf(headers, body).some((signature) => {
    const expected = Buffer.from(signature)
    return signatures.some((text) => {
      const given = Buffer.from(text)
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  })
}

/** Each event arrives at least once. Use a database table instead, with the id as its key. */
const stored = new Map<string, unknown>()

/** The whole raw body; undefined if it is larger than any delivery. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request)
  if (!body || !isSigned(request.headers, body)) {
    console.log('refused')
    response.writeHead(401, { connection: 'close' }).end()
    return
  }
  const event = JSON.parse(body.toString('utf8'))
  if (event.type === 'endpoint.challenge') {
    console.log('challenged')
    response.writeHead(200).end(signaturesOf(request.headers, event.data.challenge).join(' '))
    return
  }
  // Store the event, answer within 15 s, then process it: an answered delivery is not sent again.
  const isNew = !stored.has(event.id)
  if (isNew) stored.set(event.id, event)
  response.writeHead(204).end()
  if (isNew) console.log(`verified ${event.type} ${event.id} ${event.sequence}`)
}

// A broken request must not end the receiver. An event not stored gets a 500 and is retried.
const server = createServer((request, response) => {
  receive(request, response).catch(() => {
    if (request.complete && !response.headersSent) response.writeHead(500).end()
    else response.destroy()
  })
})

server.listen(Number(process.env.PORT ?? 8090), '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') console.log(`listening on ${address.port}`)
})
