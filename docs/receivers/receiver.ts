// Receives webhooks, verifies each, and answers the challenge. Node 22.18 or newer, no packages.
//   WEBHOOK_SECRET=whsec_… PORT=8090 node receiver.ts
// During a change of secrets, give both, separated by a space.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const TOLERANCE_S = 300
const keys = (process.env.WEBHOOK_SECRET ?? '')
  .split(' ')
  .filter(Boolean)
  .map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
if (keys.length === 0) throw new Error('Set WEBHOOK_SECRET to the secret that was shown.')

/** Standard Webhooks: any signature made with any of our keys, over the bytes as they came. */
function isSigned(headers: Record<string, unknown>, body: Buffer): boolean {
  const id = String(headers['webhook-id'] ?? '')
  const timestamp = String(headers['webhook-timestamp'] ?? '')
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_S)) return false
  const signatures = String(headers['webhook-signature'] ?? '').split(' ')
  return keys.some((key) => {
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body)
    const expected = Buffer.from(`v1,${mac.digest('base64')}`)
    return signatures.some((text) => {
      const given = Buffer.from(text)
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  })
}

/** Events that arrived before: each comes at least once. Yours belong into your database. */
const seen = new Set<string>()

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (!isSigned(request.headers, body)) {
    console.log('refused')
    response.writeHead(401).end()
    return
  }
  const event = JSON.parse(body.toString('utf8'))
  if (event.type === 'endpoint.challenge') {
    console.log('challenged')
    response.writeHead(200).end(event.data.challenge)
    return
  }
  // Answer first, work afterwards: whoever takes longer than 15 s is asked again.
  response.writeHead(204).end()
  if (seen.has(event.id)) return
  seen.add(event.id)
  console.log(`verified ${event.type} ${event.id} ${event.sequence}`)
})

server.listen(Number(process.env.PORT ?? 8090), '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') console.log(`listening on ${address.port}`)
})
