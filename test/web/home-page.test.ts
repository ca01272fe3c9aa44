import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/base/durations.ts'
import { connectSnippets } from '../../src/web/site/home-view.ts'
import proof from '../../src/web/site/proof.json' with { type: 'json' }
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors({ PRO_MONTHLY_USD: '73', FREE_REQUESTS_PER_DAY: '1234', FEE_PCT: '3.1' })
})
afterAll(() => doors?.close())

const browser = { accept: 'text/html' }
const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(doors.url + path, { headers: { ...browser, ...headers } })
  return { response, text: await response.text() }
}

describe('the home page', () => {
  test('shows the configured prices', async () => {
    const { text } = await read('/')
    for (const words of ['USD 73', '1,234 requests a day', '3.1 % of the expected'])
      expect(text).toContain(words)
  })

  test('shows this network’s figures, and those of a run listed in the results', async () => {
    const { text } = await read('/')
    const { rows } = await doors.db.query('select count(*)::int as venues from venue')
    expect(text).toContain(`<strong>${rows[0].venues}</strong> <span>venues`)
    const results = readFileSync(new URL(`../../${proof.source}`, import.meta.url), 'utf8')
    const row = results.split('\n').find((line) => line.includes(proof.run))
    const attempts = proof.contendedAttempts.toLocaleString('en')
    expect(row).toMatch(new RegExp(`\\| ${attempts} \\| ${proof.doubleBookings} \\|$`))
    expect(text).toContain(attempts)
  })

  test('shows recent bookings by kind, area and hour only', async () => {
    const other = await openDoors()
    const { rows } = await other.db.query(`select id, name from venue where slug =
      'angin-laut-sushi-canggu'`)
    const hour = new Date(Math.floor(Date.now() / HOUR_MS - 3) * HOUR_MS)
    await other.db.query(
      `insert into activity (type, venue_id, hour) values ('booking.confirmed', $1, $2)`,
      [rows[0].id, hour],
    )
    const text = await (await fetch(other.url, { headers: browser })).text()
    await other.close()
    const [, booked = ''] = /class="booked">(.*?)<\/section>/s.exec(text) ?? []
    expect(booked).toContain('<strong>Restaurant</strong> in Canggu')
    // The next hour may begin in the meantime.
    expect(booked).toMatch(/[34] hours ago/)
    expect(booked).not.toContain(rows[0].name)
  })

  test('has a working first call for each way to connect', async () => {
    const { key } = await doors.openAccount('free')
    const { text } = await read('/')
    const { MCP, ...calls } = connectSnippets(doors.url)
    for (const [label, code] of Object.entries(calls)) {
      expect(text).toContain(`data-label="${label}"`)
      const env = { ...process.env, KEY: key }
      const { stdout } = await promisify(execFile)('bash', ['-c', code], { env })
      expect([label, JSON.parse(stdout).code]).toEqual([label, undefined])
    }
    expect(MCP).toContain(`${doors.url}/mcp`)
  })
})

test('a page leads a visitor to sign up, and whoever has a session to the dashboard', async () => {
  for (const path of ['/', '/docs/bookings', '/venues']) {
    const visitor = await read(path)
    expect(visitor.text).toContain('<a class="button" href="/sign-up">Sign up</a>')
    expect(visitor.response.headers.get('vary')).toContain('cookie')
    const cookie = `venue_session=${'a'.repeat(43)}`
    const developer = await read(path, { cookie })
    expect(developer.text).toContain('<a class="button" href="/dashboard">Dashboard</a>')
    expect(developer.text).not.toContain('Sign in')
    expect(developer.response.headers.get('cache-control')).not.toContain('public')
  }
})

test('the contact page shows what the operator configured', async () => {
  const other = await openDoors({
    CONTACT_EMAIL: 'help@network.example',
    SOURCE_URL: 'https://code.example/network',
  })
  const text = await (await fetch(`${other.url}/contact`, { headers: browser })).text()
  await other.close()
  expect(text).toContain('href="mailto:help@network.example"')
  expect(text).toContain('href="https://code.example/network"')
  expect((await read('/contact')).text).not.toContain('mailto:')
})

test('an operator’s terms replace the template', async () => {
  expect((await read('/terms')).text).toContain('This is a template.')
  const folder = new URL('../support/legal', import.meta.url).pathname
  const other = await openDoors({ LEGAL_DIR: folder })
  const terms = await (await fetch(`${other.url}/terms`, { headers: browser })).text()
  const privacy = await (await fetch(`${other.url}/privacy.md`)).text()
  await other.close()
  expect(terms).toContain('<h1 id="our-terms">Our terms</h1>')
  expect(privacy).toBe('# Our policy\n')
})

test.each(['/changelog', '/terms', '/privacy', '/contact'])(
  '%s is in the sitemap and has a Markdown version',
  async (path) => {
    expect((await read('/sitemap.xml')).text).toContain(`<loc>http://127.0.0.1:3000${path}</loc>`)
    const { text } = await read(path)
    const twin = await (await fetch(`${doors.url}${path}.md`)).text()
    const [, title = ''] = /^# (.+)/.exec(twin) ?? []
    expect(text).toContain(`>${title}</h1>`)
  },
)
