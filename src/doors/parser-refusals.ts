import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, errorCatalogue, refusalData } from '../model/errors.ts'
import { PROBLEM_TYPE, problemOf } from './rest/problem.ts'

const parserCodes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Answers bytes that never became a request with a problem of the catalogue and closes their connection. */
export function createParserRefusals(publicUrl: string) {
  return (error: { code: string }, socket: Socket): void => {
    if (socket.writable) socket.write(answerTo(error.code, publicUrl))
    socket.destroy()
  }
}

function answerTo(parserCode: string, publicUrl: string): string {
  const code = parserCodes[parserCode] ?? 'malformed_request'
  const { status } = errorCatalogue[code]
  const requestId = randomUUID()
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
