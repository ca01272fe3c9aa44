import { bearer } from './open-doors.ts'

/** An open stream and the address that it announced. */
export async function openStream(url: string, key: string) {
  const abort = new AbortController()
  const response = await fetch(`${url}/mcp/sse`, { headers: bearer(key), signal: abort.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const first = (await reader?.read())?.value ?? ''
  const address = url + (/data: (\S+)/.exec(first)?.[1] ?? '')
  return { response, reader, address, nextData: () => nextData(reader), close: () => abort.abort() }
}

/** The data of the next message, over any number of chunks and keep-alive comments. */
async function nextData(reader: ReadableStreamDefaultReader<string> | undefined) {
  let received = ''
  for (;;) {
    const [, data] = /data: (.*)\n\n/.exec(received) ?? []
    if (data !== undefined) return data
    const { value, done } = (await reader?.read()) ?? { done: true }
    if (done) throw new Error(`the stream ended after ${received}`)
    received += value
  }
}

/** Posts a message unchanged if it is text or bytes, otherwise as JSON. */
export const post = (
  address: string,
  key: string,
  message: unknown,
  contentType = 'application/json',
): Promise<Response> =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': contentType, ...bearer(key) },
    body:
      typeof message === 'string' || message instanceof Buffer ? message : JSON.stringify(message),
  })

export const pingMessage = { jsonrpc: '2.0', id: 1, method: 'ping' }
export const listMessage = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
