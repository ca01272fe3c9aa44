import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, openBrowser, openVisitor, type Visitor } from '../support/developers.ts'
import { openStreamable } from '../support/mcp-streamable.ts'
import {
  addKey,
  bearer,
  type Doors,
  jsonOf,
  openDoors,
  postEnvelope,
} from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'

const PATH = '/dashboard/quickstart'

let doors: Doors
let visitor: Visitor
let page: string

beforeAll(async () => {
  doors = await openDoors()
  visitor = openVisitor(doors.url)
  const password = 'correct horse battery'
  page = (await visitor.post('/sign-up', { email: 'ayu@example.com', password })).html
})
afterAll(() => doors?.close())

const run = promisify(execFile)
const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The text copied from a tab, with the address of these doors instead of the public one. */
function snippet(label: string): string {
  const [, markup = ''] =
    new RegExp(`data-label="${label}">.*?<pre[^>]*><code>(.*?)</code>`, 's').exec(page) ?? []
  return markup
    .replaceAll(/&[^;]+;/g, (entity) => entities[entity] ?? entity)
    .replaceAll('http://127.0.0.1:3000', doors.url)
}

const programs = {
  curl: ['sh', '-c'],
  A2A: ['sh', '-c'],
  TypeScript: [process.execPath, '--input-type=module', '-e'],
  Python: ['python3', '-c'],
} as const
const needs = { curl: 'curl', A2A: 'curl', TypeScript: process.execPath, Python: 'python3' }

const isHere = (program: string) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('a snippet, copied as it is, returns a venue’s availability', () => {
  for (const [label, [program, ...args]] of Object.entries(programs)) {
    const needed = needs[label as keyof typeof needs]
    const without = isHere(needed) ? '' : ` (there is no \`${needed}\`)`
    test.skipIf(without)(`in ${label}${without}`, async () => {
      const { stdout } = await run(program, [...args, snippet(label)])
      expect(stdout).toMatch(/times/)
      expect(stdout).not.toMatch(/unauthenticated|invalid_request/)
    })
  }

  test('as the configuration of an MCP client', async () => {
    const { url, headers } = JSON.parse(snippet('MCP')).mcpServers['venue-network']
    const client = await openStreamable(url, { headers })
    const { tools } = await client.listTools()
    await client.close()
    expect(tools.map(({ name }) => name)).toContain('check_availability')
  })
})

describe('waiting for the first call', () => {
  const isCalled = async (cookie: string) =>
    (await jsonOf(await fetch(`${doors.url}/dashboard/first-call.json`, { headers: { cookie } })))
      .called

  test('ends with a call made with the key, not by viewing pages', async () => {
    const browser = await openBrowser(doors)
    expect((await browser.get(PATH)).html).toContain('Waiting for your first request')
    expect(await isCalled(browser.cookie)).toBe(false)
    const waiting = await browser.get('/dashboard/first-call')
    expect(waiting.headers.get('refresh')).toBe('3')
    expect(waiting.html).not.toContain('role="status"')
    expect(waiting.html).toContain('href="/dashboard/first-call?still=1"')
    const still = await browser.get('/dashboard/first-call?still=1')
    expect(still.headers.get('refresh')).toBeNull()
    expect(waiting.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")

    const { key } = await addKey(doors.db, browser.accountId)
    await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })
    await eventually('the call to be seen', () => isCalled(browser.cookie))
    const seen = await browser.get('/dashboard/first-call')
    expect(seen.headers.get('refresh')).toBeNull()
    expect(seen.html).toContain('We received your first request')
    expect((await browser.get(PATH)).html).not.toContain('Waiting for your first request')
  })

  const newestOf = async ({ cookie }: Browser): Promise<string> =>
    eventually('words about the newest call', async () => {
      const { newest } = await jsonOf(
        await fetch(`${doors.url}/dashboard/first-call.json`, { headers: { cookie } }),
      )
      return newest ?? undefined
    })

  test('shows the door and the outcome of the call, even if no quota counts it', async () => {
    const browser = await openBrowser(doors)
    const { key } = await addKey(doors.db, browser.accountId)
    await fetch(`${doors.url}/api/venues?limit=1`, { headers: bearer(key) })
    expect(await newestOf(browser)).toMatch(
      /^Latest: “list venues” via REST, \d+ \w{3} \d{4}, \d\d:\d\d \(UTC\), answered\.$/,
    )
    await doors.db.query('delete from request_log where account_id = $1', [browser.accountId])
    expect(await newestOf(browser)).toMatch(/^Latest: a request via REST, .* \(UTC\)\.$/)
  })

  test('says that a call was refused, and why', async () => {
    const browser = await openBrowser(doors)
    const { key } = await addKey(doors.db, browser.accountId)
    await postEnvelope(doors.url, key, { intent: 'booking.teleport' })
    expect(await newestOf(browser)).toMatch(/ via A2A, .* \(UTC\), refused: unknown_intent\.$/)
  })
})

test('the shown key survives updates: only a frame is reloaded', () => {
  expect(page).not.toMatch(/http-equiv="refresh"/i)
  expect(page).toContain('<noscript><iframe')
})

test('the page is small', () => {
  expect(Buffer.byteLength(page)).toBeLessThan(60_000)
})

test('a key can be created for the snippets later; resubmitting creates no other', async () => {
  const later = (await visitor.get(PATH)).html
  expect(later).toContain('service_live_YOUR_KEY')
  const [, form = ''] = /name="form" value="([^"]+)"/.exec(later) ?? []
  const made = await visitor.post('/dashboard/quickstart/key', { form })
  expect(made.status).toBe(200)
  const [key = 'no key'] = /service_live_[A-Za-z0-9_-]{43}/.exec(made.html) ?? []
  expect(made.html).not.toContain('service_live_YOUR_KEY')
  expect((await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })).status).toBe(200)
  const again = await visitor.post('/dashboard/quickstart/key', { form })
  expect(again.headers.get('location')).toBe(PATH)
  const { rows } = await doors.db.query(
    `select count(*)::int as keys from api_key where name = 'quickstart'`,
  )
  expect(rows).toEqual([{ keys: 1 }])
})
