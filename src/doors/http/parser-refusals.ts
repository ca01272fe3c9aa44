import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, errorCatalogue } from '../../base/error-catalogue.ts'
import { refusalData } from '../../base/errors.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { PROBLEM_TYPE, problemOf } from '../calls/refusals.ts'

const parserCodes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Responds with a problem to bytes that never became a request, and closes the connection. */
export function createParserRefusals(publicUrl: string, log: Log, metrics: Metrics) {
  return (error: { code: string }, socket: Socket): void => {
    const code = parserCodes[error.code] ?? 'malformed_request'
    const requestId = randomUUID()
    metrics.parserRefusals.inc({ code })
    log.info({ request_id: requestId, code, parser_code: error.code }, 'not a request')
    if (socket.writable) socket.write(answer(code, requestId, publicUrl))
    socket.destroy()
  }
}

function answer(code: ErrorCode, requestId: string, publicUrl: string): string {
  const { status } = errorCatalogue[code]
  const body = JSON.stringify(problemOf(refusalData(code), publicUrl, { request_id: requestId }))
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
