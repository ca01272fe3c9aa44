import { once } from 'node:events'
import { connect, constants, createSecureServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { signedCertificate } from '../platform/certificates.ts'

const { HTTP2_HEADER_PATH } = constants
const OPERATORS = '/temporal.api.operatorservice.'
const SERVICE = '/temporal.api.workflowservice.v1.WorkflowService/'
const ofOperators = [`${SERVICE}RegisterNamespace`, `${SERVICE}UpdateNamespace`]
/** Connection headers, which the next connection sets itself. */
const hopByHop = ['connection', 'host', 'http2-settings', 'keep-alive', 'upgrade']

/**
 * The tests' Temporal server, presented as Temporal Cloud would: behind TLS, with an API key in
 * each call, and without what only Cloud's operators are allowed to do.
 */
export async function openCloudTemporal(temporalAddress: string, apiKey: string) {
  const upstream = connect(`http://${temporalAddress}`)
  upstream.on('error', () => {})
  const { key, certificate } = signedCertificate
  const server = createSecureServer({ key, cert: certificate })
  const refuse = (stream: ServerHttp2Stream, message: string) =>
    stream.respond(
      { 'content-type': 'application/grpc', 'grpc-status': '7', 'grpc-message': message },
      { endStream: true },
    )
  server.on('stream', (stream, headers) => {
    const path = `${headers[HTTP2_HEADER_PATH]}`
    stream.on('error', () => {})
    if (headers.authorization !== `Bearer ${apiKey}`) return refuse(stream, 'wrong key')
    if (path.startsWith(OPERATORS) || ofOperators.includes(path)) return refuse(stream, 'not yours')
    const kept = Object.entries(headers).filter(([name]) => !hopByHop.includes(name))
    const call = upstream.request({ ...Object.fromEntries(kept), ':scheme': 'http' })
    call.on('error', () => stream.close(constants.NGHTTP2_CANCEL))
    stream.on('close', () => call.close(constants.NGHTTP2_CANCEL))
    call.on('response', (answered, flags) => {
      const isOnlyTrailers = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
      stream.respond(answered, { endStream: isOnlyTrailers, waitForTrailers: !isOnlyTrailers })
    })
    let trailers = {}
    call.on('trailers', (sent) => {
      trailers = sent
    })
    stream.on('wantTrailers', () => stream.sendTrailers(trailers))
    stream.pipe(call)
    call.pipe(stream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      upstream.destroy()
    },
  }
}
