import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertEndpointRow, settle, writeEvents } from '../support/deliveries.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { makeReplay } from '../support/replays.ts'

let doors: Doors
let browser: Browser
let endpoint: string

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())
beforeEach(async () => {
  browser = await openBrowser(doors)
  endpoint = await insertEndpointRow(doors.db, browser.accountId)
  doors.engine.sentNow = 'pending'
})

const write = (count: number) => writeEvents(doors.db, browser.accountId, count)
const path = '/dashboard/deliveries'
const rowsIn = (html: string) => [...html.matchAll(/<tr data-id="([^"]+)"/g)].map(([, id]) => id)

test('the list is filtered and paged', async () => {
  await write(22)
  await settle(doors.db, endpoint, 'failed', [1, 2])
  await settle(doors.db, endpoint, 'delivered', [3])
  const { html } = await browser.get(path)
  expect(rowsIn(html)).toHaveLength(20)
  expect(html).toMatch(/<live-view data-version="[^"]+" data-seconds="1">/)
  const next = /href="([^"]+)" rel="next"/.exec(html)?.[1] ?? ''
  const second = (await browser.get(next)).html
  expect(rowsIn(second)).toHaveLength(2)
  expect(second).not.toContain('<live-view')
  const failed = (await browser.get(`${path}?status=failed&endpoint=${endpoint}&type=`)).html
  expect(rowsIn(failed)).toHaveLength(2)
  expect(failed).toContain('HTTP 500 after 12 ms')
  expect(rowsIn((await browser.get(`${path}?until=2020-01-01T00:00`)).html)).toEqual([])
  expect(rowsIn((await browser.get(`${path}?from=2020-01-01T00:00`)).html)).toHaveLength(20)
})

test('a delivery shows the request and the response of each attempt', async () => {
  await write(1)
  await settle(doors.db, endpoint, 'failed')
  const [id] = rowsIn((await browser.get(path)).html)
  const { html } = await browser.get(`${path}/${id}`)
  expect(html).toContain('HTTP 500 after 12 ms')
  expect(html).toContain('said by the receiver')
  expect(html).toContain('content-type: text/plain')
  expect(html).toContain('The receiver did not accept it. Only 2xx is a success.')
  expect(html).toContain('webhook-signature: v1,•••')
  expect(html).toContain('Retry now')
})

test('members who cannot change endpoints see no query in a response', async () => {
  await write(1)
  await settle(doors.db, endpoint, 'failed')
  await doors.db.query('update attempt set response_body = $1 where endpoint_id = $2', [
    '<a href="/redir/?token=hunter2">Found</a> Route POST:/echo?token=hunter2 not found, or / ?',
    endpoint,
  ])
  const [id] = rowsIn((await browser.get(path)).html)
  const reader = await openMember(doors, browser.accountId, 'read-only')
  const { html } = await reader.get(`${path}/${id}`)
  expect(html).not.toContain('hunter2')
  expect(html).toContain('POST:/echo?… not found, or / ?')
  expect((await browser.get(`${path}/${id}`)).html).toContain('hunter2')
})

test('the page shows the beginning of a long response', async () => {
  await write(1)
  await settle(doors.db, endpoint, 'failed')
  await doors.db.query('update attempt set response_body = $1 where endpoint_id = $2', [
    `${'a'.repeat(2_000)}THE END`,
    endpoint,
  ])
  const [id] = rowsIn((await browser.get(path)).html)
  const { html } = await browser.get(`${path}/${id}`)
  expect(html).toContain('Cut off here.')
  expect(html).not.toContain('THE END')
})

test('a retry redirects back and shows its outcome', async () => {
  await write(1)
  await settle(doors.db, endpoint, 'failed')
  const [id] = rowsIn((await browser.get(path)).html)
  doors.engine.sentNow = {
    id: '0197a1f0-0000-7000-8000-000000000000',
    status: 'succeeded',
    http_status: 200,
    failure: null,
    ms: 3,
  }
  const { headers } = await browser.post(`${path}/${id}/retry`)
  expect(headers.get('location')).toBe(`${path}/${id}?done=succeeded`)
  const notice = async () => (await browser.get(`${path}/${id}?done=succeeded`)).html
  expect(await notice()).not.toContain('Sent and delivered')
  await doors.db.query(
    `update delivery set status = 'delivered', delivered_at = now() where id = $1`,
    [id],
  )
  expect(await notice()).toContain('Sent and delivered')
})

test('failures since a time are counted before they are replayed, once', async () => {
  await write(3)
  await settle(doors.db, endpoint, 'failed')
  const choose = `/dashboard/webhooks/${endpoint}/replay`
  expect((await browser.get(choose)).html).toContain('Count events')
  const counted = await browser.get(`${choose}?way=failures&failed_since=2020-01-01T00:00`)
  expect(counted.html).toMatch(/<dt>To be sent<\/dt><dd>3/)
  const { rows } = await doors.db.query('select from replay where endpoint_id = $1', [endpoint])
  expect(rows).toHaveLength(0)
  const fields = Object.fromEntries(
    [...counted.html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, n, v]) => [
      n,
      v,
    ]),
  )
  const begun = await browser.post(`/dashboard/webhooks/${endpoint}/replays`, fields)
  const replay = begun.headers.get('location') ?? ''
  expect(replay).toMatch(/^\/dashboard\/replays\/[0-9a-f-]{36}\?done=begun$/)
  const again = await browser.post(`/dashboard/webhooks/${endpoint}/replays`, fields)
  expect(again.headers.get('location')).toBe(replay)
  const { html, headers } = await browser.get(replay)
  expect(html).toContain('0 of 3 queued')
  expect(headers.get('refresh')).toBe('3')
  expect(html).toContain('?still=1">Pause</a>')
  const still = await browser.get(replay.replace(/done=.*/, 'still=1'))
  expect(still.headers.get('refresh')).toBeNull()
})

test.each([
  ['way=times&from=2020-01-01T00:00', 3],
  ['way=numbers&from_number=2&until_number=3', 2],
  ['way=unsent', 0],
  ['way=numbers&from_number=1&types=fee.*', 0],
])('a replay of %s counts %i events', async (query, count) => {
  await write(3)
  await settle(doors.db, endpoint, 'delivered')
  const { html } = await browser.get(`/dashboard/webhooks/${endpoint}/replay?${query}`)
  expect(html).toMatch(new RegExp(`<dt>To be sent</dt><dd>${count}</dd>`))
  expect(html.includes('Nothing to replay.')).toBe(count === 0)
})

test.each(['way=failures', 'way=times&from=now', 'way=numbers', 'way=something'])(
  'a replay of %s is refused with an explanation',
  async (query) => {
    const { status, html } = await browser.get(`/dashboard/webhooks/${endpoint}/replay?${query}`)
    expect(status).toBe(400)
    expect(html).toContain('role="alert"')
    expect(html).toContain('Count events')
  },
)

test('a refused replay keeps the choices in the form', async () => {
  const query = 'way=numbers&from_number=7&until_number=2&types=fee.*&per_second=9'
  const { html } = await browser.get(`/dashboard/webhooks/${endpoint}/replay?${query}`)
  expect(html).toContain('value="numbers" checked')
  for (const value of ['7', '2', '9']) expect(html).toContain(` value="${value}"`)
  expect(html).toMatch(/value="fee\.\*" checked/)
})

test('events chosen by id stay chosen in the replay form', async () => {
  const [event = ''] = await write(1)
  await settle(doors.db, endpoint, 'delivered')
  const query = `way=events&events=${event}`
  const { html } = await browser.get(`/dashboard/webhooks/${endpoint}/replay?${query}`)
  expect(html).toContain(`name="events" value="${event}"`)
})

test('a form whose replay has since been erased says so', async () => {
  await write(1)
  await settle(doors.db, endpoint, 'failed')
  const fields = {
    form: '0197a1f0-0000-7000-8000-00000000000c',
    ...{ way: 'failures', failed_since: '2020-01-01T00:00' },
  }
  await browser.post(`/dashboard/webhooks/${endpoint}/replays`, fields)
  await doors.db.query('delete from replay where endpoint_id = $1', [endpoint])
  const { headers } = await browser.post(`/dashboard/webhooks/${endpoint}/replays`, fields)
  expect(headers.get('location')).toBe(`/dashboard/webhooks/${endpoint}?done=replayed`)
  const { html } = await browser.get(`/dashboard/webhooks/${endpoint}?done=replayed`)
  expect(html).toContain('This form was already submitted')
})

test('a replay is paused, resumed and cancelled from its page', async () => {
  await write(2)
  await settle(doors.db, endpoint, 'delivered')
  const { id: replayId } = await makeReplay(doors.db, { endpointId: endpoint }, { last: 2 })
  const page = `/dashboard/replays/${replayId}`
  for (const [word, status] of [
    ['pause', 'paused'],
    ['resume', 'running'],
    ['cancel', 'cancelled'],
  ]) {
    const { headers } = await browser.post(`${page}/${word}`, { sure: 'yes' })
    expect(headers.get('location')).toBe(`${page}?done=changed`)
    expect((await browser.get(page)).html).toMatch(new RegExp(`badge \\w+">${status}<`))
  }
  expect((await browser.post(`${page}/resume`)).status).toBe(409)
})
