import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { expect, test, vi } from 'vitest'
import { closeUnread, patience } from '../../src/doors/http/connections.ts'
import { createEventStreams } from '../../src/web/dashboard/event-streams.ts'

/** The parts of a reply that a stream uses. */
function fakeReply(): FastifyReply {
  const raw = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableLength: 0,
    setHeader() {},
    writeHead() {},
    flushHeaders() {},
    write: () => true,
    end() {},
  })
  return { raw, hijack() {}, getHeaders: () => ({}) } as unknown as FastifyReply
}

test('few of many streams run at once, and each gets its turn', async () => {
  const streams = createEventStreams(100, 2)
  const going: (() => void)[] = []
  let begun = 0
  const all = Array.from({ length: 6 }, () =>
    streams.open(fakeReply(), { id: 'account' }, 60_000, async () => {
      begun += 1
      await new Promise<void>((go) => going.push(go))
      return 'end'
    }),
  )
  for (const expected of [2, 3, 4, 5, 6]) {
    await vi.waitFor(() => expect(begun).toBe(expected))
    going.shift()?.()
  }
  for (const go of going) go()
  await Promise.all(all)
  expect(begun).toBe(6)
})

test('the pause after a turn is five times its duration, if that is longer', async () => {
  const streams = createEventStreams(1, 1)
  const turns: { from: number; to: number }[] = []
  await streams.open(fakeReply(), { id: 'account' }, 1, async () => {
    const from = performance.now()
    await vi.waitFor(() => expect(performance.now() - from).toBeGreaterThan(40), { interval: 5 })
    turns.push({ from, to: performance.now() })
    return turns.length === 2 ? 'end' : undefined
  })
  const [first, second] = turns
  const took = (first?.to ?? 0) - (first?.from ?? 0)
  expect((second?.from ?? 0) - (first?.to ?? 0)).toBeGreaterThan(took * 4.9)
})

test('a turn that ends after the streams were stopped writes nothing', async () => {
  const streams = createEventStreams(1, 1)
  const large = { event: 'delivery', data: 'x'.repeat(500_000) }
  const faults: unknown[] = []
  let stopped = false
  let ended: Promise<void> | undefined
  const server = createServer((_, raw: ServerResponse) => {
    raw.on('error', (fault) => faults.push(fault))
    const reply = { raw, hijack() {}, getHeaders: () => ({}) } as unknown as FastifyReply
    ended = streams.open(reply, { id: 'account' }, 1, async () => {
      await streams.stop()
      stopped = true
      return large
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  try {
    reader.write('GET / HTTP/1.1\r\nhost: reader\r\n\r\n')
    await vi.waitFor(() => expect(stopped).toBe(true), { timeout: 20_000 })
    await ended
    await setImmediate()
    expect(faults).toEqual([])
  } finally {
    reader.destroy()
    server.close()
  }
})

test('a browser that stops reading gets no more turns, and is then disconnected', async () => {
  const streams = createEventStreams(1, 1)
  let turns = 0
  let ended: Promise<void> | undefined
  const server = createServer((_, raw: ServerResponse) => {
    const reply = { raw, hijack() {}, getHeaders: () => ({}) } as unknown as FastifyReply
    ended = streams.open(reply, { id: 'account' }, 1, async () => {
      turns += 1
      return { event: 'delivery', data: 'x'.repeat(20_000_000) }
    })
  }).listen(0, '127.0.0.1')
  closeUnread(server, { ...patience, unreadMs: 300 })
  await once(server, 'listening')
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  reader.on('error', () => {})
  try {
    reader.write('GET / HTTP/1.1\r\nhost: reader\r\n\r\n')
    await vi.waitFor(() => expect(turns).toBe(1), { timeout: 20_000 })
    await ended
    expect(turns).toBe(1)
  } finally {
    reader.destroy()
    server.close()
  }
})
