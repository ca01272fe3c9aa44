import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { closeUnread, patience } from '../../src/doors/http/connections.ts'
import { createOpenStreams } from '../../src/doors/http/open-streams.ts'
import { eventually } from '../support/programs.ts'

const UNREAD_MS = 1_000
const MEGABYTE = 'x'.repeat(1_000_000)

/** A stream in the only free place, and its reader's connection. */
async function openStream(begin: (stream: ServerResponse) => void) {
  const streams = createOpenStreams(1)
  const server = createServer((_, response) => {
    streams.admit({ id: 'a' }).use(response)
    begin(response)
  }).listen(0, '127.0.0.1')
  closeUnread(server, { ...patience, unreadMs: UNREAD_MS })
  await once(server, 'listening')
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  reader.on('error', () => {})
  onTestFinished(() => {
    reader.destroy()
    server.closeAllConnections()
    server.close()
  })
  reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await eventually('a stream', async () => streams.count() === 1)
  return { streams, reader }
}

test('a stream that nobody reads gives up its place', async () => {
  const { streams } = await openStream((stream) => {
    for (let n = 0; n < 20; n += 1) stream.write(MEGABYTE)
  })
  await eventually('its end', async () => streams.count() === 0)
  expect(() => streams.admit({ id: 'a' })).not.toThrow()
})

test('a stream that is read slowly, and then idle, stays open', async () => {
  let idle: Promise<unknown> | undefined
  const { streams, reader } = await openStream((stream) => {
    for (let n = 0; n < 20; n += 1) stream.write(MEGABYTE)
    stream.on('drain', () => {
      idle = once(stream, 'timeout')
    })
  })
  let read = 0
  reader.on('data', (bytes) => {
    read += bytes.length
    reader.pause()
    setTimeout(() => reader.resume(), 10)
  })
  const begun = performance.now()
  reader.resume()
  await eventually('all of it', async () => read > 20 * MEGABYTE.length)
  expect(performance.now() - begun).toBeGreaterThan(UNREAD_MS)
  await idle
  expect(streams.count()).toBe(1)
})
