import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { insertEndpointRow, settle, writeEvents } from '../support/deliveries.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

const TAIL = '/dashboard/deliveries/tail'

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
})

type News = { order: string[]; rows: Record<string, string> }

async function open(query = '', as = browser) {
  const closing = new AbortController()
  const response = await fetch(`${doors.url}${TAIL}${query}`, {
    headers: { cookie: as.cookie },
    redirect: 'manual',
    signal: closing.signal,
  })
  return { response, news: newsOf(response), close: () => closing.abort() }
}

/** The events of the stream, one by one, until it ends. */
async function* newsOf(response: Response): AsyncGenerator<News, undefined> {
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const data = /^event: deliveries\ndata: (.*)$/.exec(part)?.[1]
      if (data) yield JSON.parse(data)
    }
  }
}

const next = async (news: AsyncGenerator<News>): Promise<News> => (await news.next()).value

test('a delivery appears within a second, and again once delivered', async () => {
  const { response, news, close } = await open()
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(await next(news)).toEqual({ order: [], rows: {} })
  let newest = ''
  let quickestMs = Number.POSITIVE_INFINITY
  // The quickest of some, as other tests keep the machine busy.
  for (let nth = 1; nth <= 10 && quickestMs >= 1_000; nth += 1) {
    const begun = performance.now()
    await writeEvents(doors.db, browser.accountId, 1)
    const { order, rows } = await next(news)
    quickestMs = Math.min(quickestMs, performance.now() - begun)
    expect(order).toHaveLength(nth)
    newest = order[0] ?? ''
    expect(rows[newest]).toContain('>pending<')
  }
  expect(quickestMs).toBeLessThan(1_000)
  await settle(doors.db, endpoint, 'delivered')
  expect((await next(news)).rows[newest]).toContain('>delivered<')
  close()
})

test('the stream respects its filter and excludes other accounts', async () => {
  const { news, close } = await open('?status=failed')
  const other = await openBrowser(doors)
  const theirs = await open('', other)
  await next(news)
  await next(theirs.news)
  await writeEvents(doors.db, browser.accountId, 2)
  await settle(doors.db, endpoint, 'failed', [2])
  const { order, rows } = await next(news)
  expect(order).toHaveLength(1)
  expect(Object.values(rows).join()).toContain('>failed<')
  await insertEndpointRow(doors.db, other.accountId)
  await writeEvents(doors.db, other.accountId, 1)
  expect((await next(theirs.news)).order).not.toContain(order[0])
  close()
  theirs.close()
})

test('the address of a deleted endpoint is read once', async () => {
  await writeEvents(doors.db, browser.accountId, 1)
  await settle(doors.db, endpoint, 'delivered')
  await doors.db.query(
    `update endpoint set deleted_at = now(), status = 'disabled', status_reason = 'owner'
     where id = $1`,
    [endpoint],
  )
  const statements = vi.spyOn(doors.db, 'query')
  // Streams of the tests before may still be ending.
  const ofAccount = () =>
    statements.mock.calls
      .map((call: unknown[]) => JSON.stringify(call))
      .filter((text) => text.includes(browser.accountId))
  const reads = (part: string) => ofAccount().filter((text) => text.includes(part)).length
  const { news, close } = await open()
  expect(Object.values((await next(news)).rows).join()).toContain('>deleted<')
  await vi.waitFor(() => expect(reads('with page as')).toBeGreaterThan(3), 60_000)
  expect(reads('select id, url from endpoint')).toBe(1)
  expect(reads('d.status in (')).toBe(0)
  close()
  statements.mockRestore()
})

test('a member who was removed is sent nothing more', async () => {
  for (let nth = 1; nth <= 3; nth += 1) {
    const member = await openMember(doors, browser.accountId, 'read-only')
    const { news } = await open('', member)
    await next(news)
    const removed = await browser.post(`/dashboard/members/${member.developerId}/remove`, {
      sure: 'yes',
    })
    expect(removed.headers.get('location')).toContain('removed')
    await writeEvents(doors.db, browser.accountId, 1)
    expect(await news.next()).toEqual({ done: true, value: undefined })
  }
})

test('the stream ends with the session', async () => {
  const { news } = await open()
  await next(news)
  await browser.post('/sign-out')
  expect(await news.next()).toEqual({ done: true, value: undefined })
  const { response } = await open()
  expect(response.status).toBe(303)
})

test('a person has a limited number of streams; closing one admits another', async () => {
  const tails = await Promise.all(Array.from({ length: 7 }, () => open()))
  await Promise.all(tails.map(({ news }) => next(news)))
  expect((await open()).response.status).toBe(429)
  const colleague = await open('', await openMember(doors, browser.accountId, 'read-only'))
  expect(colleague.response.status).toBe(200)
  colleague.close()
  tails[0]?.close()
  await expect.poll(async () => (await open()).response.status).toBe(200)
  for (const { close } of tails) close()
})

test('an invalid filter is refused before streaming', async () => {
  expect((await open('?status=lost')).response.status).toBe(400)
  expect((await open(`?endpoint=${browser.accountId}`)).response.status).toBe(404)
})

test.each([
  ['left the account', 'delete from member where developer_id = $1'],
  ['got another role', `update member set role = 'billing' where developer_id = $1`],
  [
    'is in a suspended account',
    `update account set suspended_at = now(), suspended_reason = 'x' where id in
       (select account_id from member where developer_id = $1)`,
  ],
])('the stream of a member who %s ends within seconds', async (_, change) => {
  const member = await openMember(doors, browser.accountId, 'developer')
  const { response, news, close } = await open('', member)
  expect(response.status).toBe(200)
  await next(news)
  await doors.db.query(change, [member.developerId])
  const begun = performance.now()
  while (!(await news.next()).done) expect(performance.now() - begun).toBeLessThan(30_000)
  close()
})
