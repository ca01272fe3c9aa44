import type { Connection } from './connections.ts'
import { OutboundError } from './failure.ts'

export type ExchangeRequest = {
  path: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Readonly<Record<string, string>>
  body?: string | Buffer | undefined
  maxBodyBytes: number
}

export type ExchangeAnswer = {
  status: number
  /** lower-case names; the values of repeated fields are joined with a comma and a space */
  headers: Record<string, string>
  /** at most `maxBodyBytes`, never decompressed */
  body: Buffer
  /** the rest was not read */
  truncated: boolean
}

/**
 * Sends a request and reads its answer. Calls `onSending` just before the first byte leaves.
 * Destroys the connection if the answer was truncated or the signal aborts.
 */
export function exchange(
  { client }: Connection,
  { path, method, headers, body, maxBodyBytes }: ExchangeRequest,
  signal: AbortSignal,
  onSending: () => void,
): Promise<ExchangeAnswer> {
  return new Promise((resolve, reject) => {
    const answer: Omit<ExchangeAnswer, 'body'> = { status: 0, headers: {}, truncated: false }
    const chunks: Buffer[] = []
    let room = maxBodyBytes
    const settle = () => {
      signal.removeEventListener('abort', stop)
      resolve({ ...answer, body: Buffer.concat(chunks) })
    }
    const stop = () => {
      reject(signal.reason)
      void client.destroy()
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })

    client.dispatch(
      {
        path,
        method,
        headers: { 'user-agent': 'venue-network', ...headers, 'accept-encoding': 'identity' },
        body: body ?? null,
      },
      {
        onRequestStart: onSending,
        onResponseStart(_, status, fields) {
          answer.status = status
          answer.headers = Object.fromEntries(
            Object.entries(fields).map(([name, value]) => [name, [value].flat().join(', ')]),
          )
        },
        onResponseData(_, chunk) {
          if (answer.truncated) return
          chunks.push(chunk.subarray(0, room))
          answer.truncated = chunk.length > room
          room -= Math.min(room, chunk.length)
          if (!answer.truncated) return
          settle()
          void client.destroy()
        },
        onResponseEnd: settle,
        onResponseError(_, error) {
          signal.removeEventListener('abort', stop)
          reject(failureFrom(error))
          void client.destroy()
        },
      },
    )
  })
}

/** If undici refuses to send a request, the bug is ours, so undici's error is kept. */
function failureFrom(error: Error & { code?: string }): Error {
  const { code = '', name } = error
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return error
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new OutboundError('bad_answer', { what: 'The headers of the answer exceed 16 kB.' })
  }
  const malformed = name === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  return new OutboundError(malformed ? 'bad_answer' : 'broken')
}
