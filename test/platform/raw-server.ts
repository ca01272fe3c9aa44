import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import { createOutbound, type Outbound } from '../../src/platform/http/client.ts'
import type { OutboundError } from '../../src/platform/http/failure.ts'
import type { Resolve } from '../../src/platform/http/resolve.ts'
import type { OutboundPolicy } from '../../src/platform/http/target.ts'

/** What the server does on its socket with the text of a request. */
export type Behaviour = (socket: Socket, request: string) => void

export type RawServer = {
  port: number
  /** every request as it arrived */
  requests: string[]
  /** connections accepted this way */
  connections: number
  open(): number
}

/** A loopback server that misbehaves on demand, byte by byte; closed with its test. */
export async function openRawServer(behave: Behaviour, tls?: TlsOptions): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const raw: RawServer = { port: 0, requests: [], connections: 0, open: () => sockets.size }
  const accept = (socket: Socket) => {
    raw.connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    socket.on('data', (data) => {
      const request = data.toString('latin1')
      raw.requests.push(request)
      behave(socket, request)
    })
  }
  const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  raw.port = (server.address() as AddressInfo).port
  return raw
}

/** The text of a response with these header fields. */
export function answerText(body = 'ok', ...fields: string[]): string {
  const head = ['HTTP/1.1 200 OK', `content-length: ${body.length}`, ...fields]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** Sends this text and nothing else. */
export const says =
  (text: string): Behaviour =>
  (socket) => {
    socket.write(text)
  }

export type Sending = { url: string; deadlineMs?: number; maxBodyBytes?: number } & Partial<
  Omit<Parameters<Outbound['send']>[0], 'url'>
>

/** A client that trusts every loopback port in the test; `failure` resolves with the error. */
export function openClient(
  policy: Partial<OutboundPolicy> = {},
  parts: { resolve?: Resolve; ca?: string } = {},
) {
  const outbound = createOutbound(
    {
      allow: [],
      httpsOnly: false,
      allowLoopback: true,
      ports: [80, 443],
      maxSockets: 20,
      ...policy,
    },
    parts,
  )
  onTestFinished(() => outbound.close())
  const send = (sending: Sending) =>
    outbound.send({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      deadlineMs: 5_000,
      maxBodyBytes: 16 * 1024,
      ...sending,
    })
  const failure = (sending: Sending): Promise<OutboundError> =>
    send(sending).then(
      (answer) => Promise.reject(new Error(`answered ${answer.status}`)),
      (error: OutboundError) => error,
    )
  return { outbound, send, failure }
}
