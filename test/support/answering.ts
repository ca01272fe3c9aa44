import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createNetwork, type Network } from '../../packages/cli/network/network.ts'

export type Answering = (response: ServerResponse, request: IncomingMessage) => void
type Seen = { key: unknown; prefer: unknown; authorization: unknown }

/** A server that gives each request the next answer, repeating the last; closed with its test. */
export async function network(
  ...answering: Answering[]
): Promise<{ seen: Seen[]; url: string; network: Network }> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const { 'idempotency-key': key, prefer, authorization } = request.headers
    const answer = answering[Math.min(seen.length, answering.length - 1)]
    seen.push({ key, prefer, authorization })
    request.resume().on('end', () => answer?.(response, request))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { seen, url, network: createNetwork(url, 'k') }
}

export const json =
  (status: number, body: object, headers = {}): Answering =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))

export const hangsUp: Answering = (_, request) => void request.socket.destroy()

export const problem = (status: number, code: string, more = {}): Answering =>
  json(status, { code, title: code, detail: 'Do this.', status, request_id: 'r', ...more })
