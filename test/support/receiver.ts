import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** A request as it arrived. `body` is parsed; `raw` is what is signed. */
export type Received = {
  at: number
  headers: IncomingHttpHeaders
  raw: string
  body: Record<string, any>
}

/** How a receiver answers a request; `nth` counts from 1. */
export type Answering = (response: ServerResponse, request: Received, nth: number) => void

export const answers =
  (status: number, headers: Record<string, string> = {}, body = ''): Answering =>
  (response) => {
    response.writeHead(status, headers).end(body)
  }

/** Proves that the receiver of a challenge has the secret, by means of an independent library. */
export function signChallenge(
  secret: string,
  { headers, body }: Pick<Received, 'headers' | 'body'>,
): string {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  return new Webhook(secret).sign(String(headers['webhook-id']), at, body.data.challenge)
}

/** Proves the URL with the secret current at that time, and answers 200 to everything. */
export const proving =
  (secret: () => string): Answering =>
  (response, request) => {
    const isChallenge = request.body.type === 'endpoint.challenge'
    response.writeHead(200).end(isChallenge ? signChallenge(secret(), request) : 'thanks')
  }

export type Receiver = {
  url: string
  received: Received[]
  /** A change takes effect at once. */
  answer: Answering
  /** Event ids in order of arrival, including repeats. */
  ids(): string[]
  close(): Promise<void>
}

/** A subscriber's loopback server; by default on a free port, answering 204. */
export async function openReceiver(answer: Answering = answers(204), port = 0): Promise<Receiver> {
  const server = createServer((request, response) => {
    let raw = ''
    request.setEncoding('utf8')
    request.on('data', (text) => {
      raw += text
    })
    request.on('error', () => {})
    request.on('end', () => {
      const body = raw.startsWith('{') ? JSON.parse(raw) : {}
      const received = { at: Date.now(), headers: request.headers, raw, body }
      receiver.received.push(received)
      receiver.answer(response, received, receiver.received.length)
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received: [],
    answer,
    ids: () => receiver.received.map(({ headers }) => String(headers['webhook-id'])),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
