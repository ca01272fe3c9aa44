import { expect, test } from 'vitest'
import { createOpenStreams } from '../../src/doors/http/open-streams.ts'
import { eventually } from '../support/programs.ts'
import { answerText, openClient, openRawServer } from './raw-server.ts'

test('accounts whose receivers never answer leave sockets to other accounts', async () => {
  const { port, open } = await openRawServer((socket, request) => {
    if (!request.includes('/slow')) socket.end(answerText())
  })
  const { outbound, send } = openClient({ maxSockets: 40 })
  const sendTo = (path: string, who: string) =>
    send({ url: `http://127.0.0.1:${port}${path}`, deadlineMs: 20_000, who })
  const slow = Array.from({ length: 10 }, (_, n) =>
    Array.from({ length: 40 }, () => sendTo('/slow', `attacker ${n}`).catch(() => 'ended')),
  ).flat()
  await eventually('their sockets', async () => open() >= 25)
  const first = await Promise.all(['a', 'b', 'c'].map((who) => sendTo('/', who)))
  expect(first.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(open()).toBeLessThan(40)
  await outbound.close()
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['ended']))
})

test('accounts with as many streams as they can open leave one to each account without any', () => {
  const streams = createOpenStreams(500)
  const opened = Array.from({ length: 50 }, (_, n) => {
    let own = 0
    try {
      for (;;) {
        streams.admit({ id: `attacker ${n}` })
        own += 1
      }
    } catch {
      return own
    }
  })
  expect(Math.max(...opened)).toBeLessThan(50)
  for (let n = 0; n < 50; n += 1) expect(() => streams.admit({ id: `honest ${n}` })).not.toThrow()
})
