import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

const agent = new Agent({ keepAlive: true })

/**
 * Posts JSON over a keep-alive connection with a minimal client; throws unless the status is
 * `expected`.
 */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: unknown,
  expected: number,
): Promise<void> {
  const call = request(url, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', ...headers },
  })
  call.end(JSON.stringify(body))
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const answer = await text(response)
  if (response.statusCode !== expected) throw new Error(`${response.statusCode} ${answer}`)
}
