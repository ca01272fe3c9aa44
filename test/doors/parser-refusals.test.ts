import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorCatalogue } from '../../src/base/error-catalogue.ts'
import { openPublicDoors, type PublicDoors } from '../support/open-doors.ts'

let doors: PublicDoors
beforeAll(async () => {
  doors = await openPublicDoors()
})
afterAll(() => doors.close())

async function answerTo(bytes: string): Promise<string> {
  const { hostname, port } = new URL(doors.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(bytes)
  return text(socket)
}

test.each([
  ['a header of 17 kB', `x-long: ${'x'.repeat(17_000)}\r\n`, 'GET', 'headers_too_large'],
  ['an unknown method', '', 'FOO', 'malformed_request'],
  ['a header without a name', ': x\r\n', 'GET', 'malformed_request'],
  ['a non-numeric length', 'content-length: x\r\n', 'POST', 'malformed_request'],
] as const)('%s is answered with a problem', async (_, header, method, code) => {
  const answer = await answerTo(`${method} /api/ping HTTP/1.1\r\nhost: x\r\n${header}\r\n`)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const { status } = errorCatalogue[code]
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(head).toContain('Content-Type: application/problem+json')
  const problem = JSON.parse(body)
  expect(problem).toMatchObject({ status, code, type: expect.stringContaining(`#${code}`) })
  expect(head).toContain(`X-Request-Id: ${problem.request_id}`)
})

test.each(['/api/ping', '/', '/mcp', '/nowhere'])(
  '%s with two Host fields is refused',
  async (path) => {
    const answer = await answerTo(
      `GET ${path} HTTP/1.1\r\nhost: x\r\nHost: y\r\nconnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
  },
)
