import { expect, test } from 'vitest'
import { settle } from '../support/deliveries.ts'
import { openDeliveryDoors } from '../support/delivery-calls.ts'

const here = openDeliveryDoors()
const { get, ask, endpoint, write } = here

test('deliveries of all endpoints are listed newest first, in pages, the same at A2A', async () => {
  const [one, two] = [await endpoint(), await endpoint()]
  await write(3)
  const pages: any[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body }: { body: any } = await get(
      `/api/deliveries?limit=4${cursor && `&cursor=${cursor}`}`,
    )
    pages.push(body.deliveries.map((d: any) => [d.event.number, d.endpoint_id]))
    cursor = body.next_cursor
  }
  const [low, high] = [one, two].sort()
  expect(pages.flat()).toEqual([3, 2, 1].flatMap((n) => [high, low].map((id) => [n, id])))
  expect(pages.map((page) => page.length)).toEqual([4, 2])
  const { payload } = await ask('delivery.list', { limit: 4 })
  expect(payload).toEqual((await get('/api/deliveries?limit=4')).body)
})

test('filters: endpoint, status, type and time; held means an inactive endpoint', async () => {
  const [active, paused] = [await endpoint(), await endpoint({ status: 'paused' })]
  await write(1)
  await settle(here.doors.db, active, 'failed')
  await write(1, 'fee.accrued')
  const numbers = async (query: string) => {
    const { status, body } = await get(`/api/deliveries?${query}`)
    expect(status).toBe(200)
    return body.deliveries.map((d: any) => [d.event.number, d.endpoint_id, d.status])
  }
  expect(await numbers('status=held')).toEqual([
    [2, paused, 'held'],
    [1, paused, 'held'],
  ])
  expect(await numbers('status=pending')).toEqual([[2, active, 'pending']])
  expect(await numbers('status=failed')).toEqual([[1, active, 'failed']])
  expect(await numbers(`endpoint=${active}&type=fee.*`)).toEqual([[2, active, 'pending']])
  const [past, future] = [-1, 1].map((hours) =>
    new Date(Date.now() + hours * 3_600_000).toISOString(),
  )
  expect(await numbers(`from=${past}&until=${future}`)).toHaveLength(4)
  expect(await numbers(`from=${future}`)).toEqual([])
  expect(await numbers(`until=${past}`)).toEqual([])
})

test('the deliveries of an event are found by its id, only in its own account', async () => {
  const [one, two] = [await endpoint(), await endpoint()]
  const [, id] = await write(3)
  const { body } = await get(`/api/deliveries?event=${id}`)
  expect(body.deliveries.map((d: any) => [d.event.id, d.endpoint_id])).toEqual(
    [one, two]
      .sort()
      .toReversed()
      .map((endpoint) => [id, endpoint]),
  )
  const other = await here.doors.openAccount('free')
  const missing = { status: 404, body: { code: 'event_not_found' } }
  expect(await get(`/api/deliveries?event=${id}`, other)).toMatchObject(missing)
})

test('a delivery shows its attempts without secrets, and its next time with the rule', async () => {
  const id = await endpoint({ headerNames: ['X-Token'] })
  const [eventId] = await write(1)
  const [listed] = (await get('/api/deliveries')).body.deliveries
  expect(listed).toMatchObject({
    event: { id: eventId, number: 1 },
    status: 'pending',
    last_attempt: null,
    next: { at: expect.any(String), rule: 'As soon as possible.' },
  })
  await settle(here.doors.db, id, 'failed')
  const { body } = await get(`/api/deliveries/${listed.id}`)
  expect(body).toMatchObject({
    delivery: {
      status: 'failed',
      attempt_count: 1,
      last_attempt: { status: 'failed', http_status: 500, failure: 'server_error', ms: 12 },
      next: null,
    },
    body: '{"sent":true}',
    attempts: [
      {
        number: 1,
        cause: 'schedule',
        status: 'failed',
        failure: {
          category: 'server_error',
          text: 'The receiver did not accept it. Only 2xx is a success.',
        },
        request: {
          method: 'POST',
          url: 'https://receiver.example/hooks',
          headers: {
            'webhook-id': eventId,
            'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
            'webhook-signature': 'v1,•••',
            'x-token': '•••',
          },
          signed_with: [expect.any(String)],
        },
        response: { headers: {}, body: 'said by the receiver', truncated: false },
      },
    ],
  })
  expect((await ask('delivery.get', { id: listed.id })).payload).toEqual(body)
})

test('a response is hidden until its endpoint is verified', async () => {
  const id = await endpoint()
  await write(1)
  await settle(here.doors.db, id, 'failed')
  await here.doors.db.query(
    `update endpoint set verified_at = null, status = 'unverified' where id = $1`,
    [id],
  )
  const [{ id: deliveryId }] = (await get('/api/deliveries')).body.deliveries
  const { body } = await get(`/api/deliveries/${deliveryId}`)
  expect(body.attempts).toMatchObject([{ http_status: 500, response: null }])
  expect(JSON.stringify(body)).not.toContain('said by the receiver')
})

test('a waiting endpoint shows until when it waits and why', async () => {
  const id = await endpoint()
  await write(1)
  const until = new Date(Date.now() + 60_000).toISOString()
  await here.doors.db.query(
    `update endpoint set wait_until = $2, wait_reason = 'retry_after' where id = $1`,
    [id, until],
  )
  const [{ next }] = (await get('/api/deliveries')).body.deliveries
  expect(next).toEqual({ at: until, rule: expect.stringContaining('Retry-After') })
})

test.each([
  '?status=lost',
  '?endpoint=x',
  '?type=all',
  '?from=yesterday',
  '?limit=101',
  '?cursor=nonsense',
])('deliveries%s is refused', async (query) => {
  const { status, body } = await get(`/api/deliveries${query}`)
  const code = query.startsWith('?cursor') ? 'invalid_cursor' : 'invalid_request'
  expect([status, body.code]).toEqual([400, code])
})
