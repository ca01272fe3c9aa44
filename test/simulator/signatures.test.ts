import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { confirmOf, statusOf } from './ask.ts'
import { secret, sign } from './fake-network.ts'
import { type OpenSimulator, openSimulator } from './open-simulator.ts'

let simulator: OpenSimulator
beforeAll(async () => {
  simulator = await openSimulator()
})
afterAll(() => simulator?.close())

const stranger = new Webhook('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)

test('the documented test vector is what the library signs', () => {
  const at = new Date(1614265330 * 1000)
  const signature = new Webhook(secret).sign(
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at,
    '{"test": 2432232314}',
  )
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

describe('a message that is not authentic is answered 401:', () => {
  const signature = (headers: Record<string, string>) => headers['webhook-signature'] ?? ''
  test.each<[string, (body: string) => Record<string, string>]>([
    ['without signature', () => ({})],
    ['without id', (body) => ({ ...sign('m1', body), 'webhook-id': '' })],
    ['signed with another secret', (body) => sign('m1', body, ago(0), stranger)],
    ['signed for another id', (body) => ({ ...sign('m1', body), 'webhook-id': 'm2' })],
    ['signed for another body', (body) => sign('m1', `${body} `)],
    ['signed more than 300 s ago', (body) => sign('m1', body, ago(301))],
    ['signed for more than 300 s ahead', (body) => sign('m1', body, ago(-310))],
    [
      'of long ago with its timestamp moved to now',
      (body) => ({
        ...sign('m1', body),
        'webhook-signature': signature(sign('m1', body, ago(400))),
      }),
    ],
    [
      'with a signature of another version',
      (body) => ({
        ...sign('m1', body),
        'webhook-signature': signature(sign('m1', body)).replace('v1', 'v2'),
      }),
    ],
  ])('%s', async (_, forge) => {
    const wish = confirmOf()
    expect(await simulator.ask(wish, forge(JSON.stringify(wish)))).toMatchObject({ status: 401 })
    expect((await simulator.ask(statusOf(wish.booking_id))).message.status).toBe('unknown')
  })
})

test('one of several signatures is enough, which allows rotation', async () => {
  const message = confirmOf()
  const body = JSON.stringify(message)
  const old = sign('m1', body, new Date(), stranger)['webhook-signature']
  const good = sign('m1', body)
  const both = { ...good, 'webhook-signature': `${old} ${good['webhook-signature']}` }
  expect(await simulator.ask(message, both)).toMatchObject({ status: 200 })
})

test('a message 290 s old is accepted', async () => {
  const message = confirmOf()
  const headers = sign('m1', JSON.stringify(message), ago(290))
  expect(await simulator.ask(message, headers)).toMatchObject({ status: 200 })
})

describe('a signed but invalid message is answered 400 with the field:', () => {
  const { party_size: _, ...partyless } = confirmOf()
  test.each<[string, object, string]>([
    ['an unknown type', { type: 'booking.dance', booking_id: 'b', venue_id: 'v' }, 'type'],
    ['a missing field', partyless, 'party_size'],
    ['an unknown time zone', { ...confirmOf(), timezone: 'Mars/Base' }, 'timezone'],
    ['a local time in UTC', { ...confirmOf(), slot_time: '2026-12-24T19:00:00Z' }, 'slot_time'],
    ['a list', [], 'body'],
  ])('%s', async (_, message, field) => {
    const answer = await simulator.ask(message)
    expect(answer.status).toBe(400)
    expect(answer.message.detail).toContain(field)
  })
})

test('unknown fields are ignored', async () => {
  const message = { ...confirmOf(), mood: 'festive', guest: null, notes: null }
  expect((await simulator.ask(message)).message).toMatchObject({ status: 'confirmed' })
})
