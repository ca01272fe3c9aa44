import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inZone } from '../../src/web/dashboard/reader-zone.ts'
import { exactly, when } from '../../src/web/page/components.ts'
import { html as markup } from '../../src/web/page/html.ts'
import { dateText, durationText, monthText } from '../../src/web/page/times.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let browser: Browser
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())
beforeEach(async () => {
  browser = await openBrowser(doors)
})

const withCookie = (zone: string) => ({ cookie: `${browser.cookie}; time_zone=${zone}` })

describe('a time on a page', () => {
  const at = '2026-11-24T17:42:10.000Z'

  test('is in the zone of the reader, with UTC beside it', () => {
    const shown = inZone(exactly(at), 'Asia/Makassar').markup
    expect(shown).toContain('>25 Nov 2026, 01:42</time>')
    expect(shown).toContain('24 Nov, 17:42 UTC')
    expect(inZone(when(at), 'Europe/Berlin').markup).toMatch(/24 Nov 2026, 18:42<.*>17:42 UTC</)
  })

  test('is in UTC, and says so once, until the zone is known', () => {
    expect(inZone(exactly(at), 'UTC').markup).toContain('>24 Nov 2026, 17:42 UTC</time>')
  })

  test('is converted only if the page wrote it, not within other people’s texts', () => {
    const text = `<time datetime="${at}">x</time>`
    expect(inZone(markup`<p>${text}</p>`, 'Asia/Makassar').markup).toContain('&lt;time')
  })
})

test.each([
  [0.4, '< 1 ms'],
  [12.3, '12 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [1053.5, '1.1 s'],
  [59_900, '59.9 s'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
])('%d ms are read as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test('dates and months have names', () => {
  expect([dateText('2026-01-05'), monthText('2026-11')]).toEqual(['5 Jan 2026', 'November 2026'])
})

describe('the zone of a reader', () => {
  test('is UTC, then that of the browser', async () => {
    expect((await browser.get('/dashboard/keys')).html).toContain('Times in UTC<')
    const ofBrowser = await browser.get('/dashboard/keys', withCookie('Asia/Makassar'))
    expect(ofBrowser.html).toContain('Times in Asia/Makassar, UTC+08:00')
  })

  test.each(['Mars/Base', '%3Cscript%3E', '+08:00', 'x'.repeat(200), 'constructor'])(
    'is not %s, whoever says so',
    async (zone) => {
      const { html } = await browser.get('/dashboard/keys', withCookie(zone))
      expect(html).toContain('Times in UTC<')
    },
  )
})

test('date filters are in the zone of the reader, between sensible bounds', async () => {
  const log = (at: string) =>
    doors.db.query(
      `insert into request_log (account_id, at, request_id, door, operation, code, ms, calls)
       values ($1, $2, gen_random_uuid(), 'rest', 'ping', 'ok', 1, 1)`,
      [browser.accountId, at],
    )
  const day = new Date().toISOString().slice(0, 10)
  await log(`${day}T01:30:00Z`)
  await log(`${day}T02:30:00Z`)
  const { html } = await browser.get(
    `/dashboard/requests?from=${day}T10:00`,
    withCookie('Asia/Makassar'),
  )
  expect(html.match(/href="\/dashboard\/requests\/[0-9a-f-]{36}"/g)).toHaveLength(1)
  expect(html).toContain(`${dateText(day)}, 10:30`)
  expect(html).toContain('From (Asia/Makassar)')
  expect(html).toMatch(/min="\d{4}-\d\d-\d\dT00:00"/)
  expect((await browser.get('/dashboard/requests?from=2026-13-45T99:99')).status).toBe(400)
})
