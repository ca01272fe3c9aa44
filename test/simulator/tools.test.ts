import { afterAll, beforeAll, expect, test } from 'vitest'
import { confirmOf, control, statusOf } from './ask.ts'
import { type OpenSimulator, openSimulator } from './open-simulator.ts'

let simulator: OpenSimulator
beforeAll(async () => {
  simulator = await openSimulator()
})
afterAll(() => simulator?.close())

test.each(['confirm', 'cancel', 'visit'])(
  'nobody without the token can %s on behalf of a venue',
  async (what) => {
    const { base, network } = simulator
    const wish = confirmOf({ answer_url: network.answerUrl('any') })
    await simulator.control('POST', '/script', { on: 'booking.confirm', do: { answer: 'pending' } })
    await simulator.ask(wish)
    for (const authorization of ['', 'Bearer wrong', 'Bearer ']) {
      const path = `/book/${wish.booking_id}/${what}`
      const refused = await control(base, 'POST', path, { attended: true }, authorization)
      expect(refused).toMatchObject({ status: 401, json: { detail: expect.any(String) } })
    }
    expect((await simulator.ask(statusOf(wish.booking_id))).message.status).toBe('pending')
    expect(network.received).toEqual([])
  },
)

test.each([
  ['GET', '/book'],
  ['GET', '/script'],
  ['DELETE', '/script'],
  ['POST', '/script'],
  ['POST', '/seats'],
  ['POST', '/full'],
])('%s %s needs the token', async (method, path) => {
  const body = method === 'POST' ? {} : undefined
  expect(await control(simulator.base, method, path, body, '')).toMatchObject({ status: 401 })
})

test('the health check needs no token', async () => {
  expect((await fetch(`${simulator.base}/healthz`)).status).toBe(200)
})
