import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { findChromium, openChromium } from '../support/chromium.ts'
import { insertEndpointRow, settle, writeEvents } from '../support/deliveries.ts'
import { type Browser as Developer, openBrowser } from '../support/developers.ts'
import { accrueFee } from '../support/fees.ts'
import { keepPicture } from '../support/looks.ts'
import { openService, type Service } from '../support/network.ts'
import { daily } from '../support/nightly.ts'
import {
  type Box,
  boxesOf,
  clippedContent,
  largestPaintMs,
  transferredBytes,
} from '../support/page-boxes.ts'
import { sidewaysFaults } from '../support/page-faults.ts'
import { lists, makeTraffic, pagesOf } from '../support/traffic.ts'

/**
 * How the pages look. With `NIGHTLY=1`, screenshots are kept in `artifacts/browser`. They are not
 * compared pixel by pixel, as times and figures change with each run; the boxes of blocks are. On
 * no page may the colour scheme move a box, and on pages with fixed content each box must be where
 * `boxes.json` has it, which is possible because we ship our typeface. The boxes are recorded with
 * `BOXES_RECORD=1 npm test -- --project browser test/browser/visual.test.ts`. The headless shell
 * wraps one text differently and has a file of its own.
 */
const isShell = findChromium().includes('headless-shell')
const recorded = resolve(import.meta.dirname, isShell ? 'boxes-shell.json' : 'boxes.json')
const isRecording = process.env.BOXES_RECORD === '1'

/** Pages without times or figures. */
const fixed = ['/sign-up', '/sign-in', '/forgot-password']
/** At 1000 px, lists have just become tables next to the sidebar. */
const allWidths = [390, 768, 1000, 1280] as const
const widths = isRecording ? allWidths : daily(allWidths)
const schemes = ['light', 'dark'] as const
const MAX_BYTES = 100_000
/** Heights differ slightly between versions of Chromium because of its form controls. */
const TOLERANCE = { place: 2, size: 0.03 }

let service: Service
let chromium: Browser
let page: Page
let paths: string[]

beforeAll(async () => {
  service = await openService({ OPEN_REQUESTS_PER_MINUTE: '10000', PAYMENTS: 'local' })
  chromium = await openChromium()
  const developer = await openBrowser(service, { tier: 'pro', isOperator: true })
  const made = await makeTraffic(service.db, developer.accountId)
  await makeLongTexts(developer.accountId)
  // Times in a zone other than UTC are the longest.
  const zone = { timezoneId: 'Asia/Makassar' }
  const context = await chromium.newContext({ baseURL: service.url, ...zone })
  const [name = '', value = ''] = developer.cookie.split('=', 2)
  await context.addCookies([{ name, value, url: service.url }])
  page = await context.newPage()
  await page.goto('/dashboard')
  const venue = await slugOfVenue()
  paths = [
    ...['/', '/venues', `/venues/${venue}`, '/docs', '/docs/webhooks', '/reference/', '/errors'],
    ...['/status', '/dashboard', '/dashboard/keys', '/dashboard/requests', '/dashboard/usage'],
    ...['/dashboard/plan', '/dashboard/account', '/dashboard/account/delete'],
    ...['/dashboard/agents', '/dashboard/audit', '/dashboard/members', '/dashboard/quickstart'],
    ...['/dashboard/operators', '/dashboard/operators/venues'],
    ...['/dashboard/operators/accounts', `/dashboard/operators/accounts/${developer.accountId}`],
    ...[...lists, ...pagesOf(made).map(still), ...(await pagesOfMoney(developer))],
    ...(await pagesOfClock(developer)),
  ]
}, 120_000)
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

/** A running replay's page would reload itself, even while it is being examined. */
const still = (path: string) => (path.includes('/replays/') ? `${path}?still=1` : path)

/** Deliveries with the widest possible rows: one failing and one held. */
async function makeLongTexts(accountId: string): Promise<void> {
  const { db } = service
  const endpoint = await insertEndpointRow(db, accountId)
  const url = `https://webhooks.concierge-agents.example/v1/hooks/${'0123456789abcdef'.repeat(4)}`
  await db.query(
    `update endpoint set url = $2, description = $3, failing_since = now() - interval '2 days'
     where id = $1`,
    [endpoint, url, 'Receives everything for the concierge desk, in production'],
  )
  await writeEvents(db, accountId, 2, 'venue.availability_opened')
  await settle(db, endpoint, 'failed')
  await db.query(
    `update attempt set http_status = null, failure = 'refused_address', ms = 125000
     where endpoint_id = $1`,
    [endpoint],
  )
  await db.query(
    `update delivery set status = 'pending', attempts = 10, due_at = now() + interval '10 hours'
     where endpoint_id = $1`,
    [endpoint],
  )
  const paused = await insertEndpointRow(db, accountId, { status: 'paused' })
  await db.query('update endpoint set url = $2 where id = $1', [paused, url])
  await writeEvents(db, accountId, 1, 'venue.availability_opened')
}

/** Last month's invoice, its payment with the payment page, and what operators see of them. */
async function pagesOfMoney(developer: Developer): Promise<string[]> {
  const { db } = service
  const { accountId } = developer
  await accrueFee(db, { accountId, minor: 123_456_700 })
  await accrueFee(db, { accountId, minor: 38_500, currency: 'SGD', isReversed: true })
  await closeMonthsOf(db, accountId, new Date())
  const { rows } = await db.query(
    `select id from invoice where account_id = $1 and status = 'open'`,
    [accountId],
  )
  const [{ id }] = rows
  const asked = await developer.post('/dashboard/payments', { due_id: id })
  const payment = asked.headers.get('location') ?? ''
  const [, page = ''] = /href="[^"]*(\/pay\/[^"]+)"/.exec((await developer.get(payment)).html) ?? []
  const account = `/dashboard/operators/accounts/${accountId}`
  return [
    ...['/dashboard/invoices', `/dashboard/invoices/${id}`, payment, page],
    ...[`${account}/ledger`, `${account}/suspend`],
    ...['/dashboard/operators/payments', payment.replace('dashboard', 'dashboard/operators')],
    '/dashboard/operators/bookings',
  ]
}

/** A test clock, whose key is shown only once. */
async function pagesOfClock(developer: Developer): Promise<string[]> {
  const { html } = await developer.post('/dashboard/clocks', { name: 'Three weeks ahead' })
  const [, path = ''] = /href="(\/dashboard\/clocks\/[0-9a-f-]{36})"/.exec(html) ?? []
  return ['/dashboard/clocks', path, `${path}/delete`]
}

async function slugOfVenue(): Promise<string> {
  const { rows } = await service.db.query('select slug from venue order by slug limit 1')
  return rows[0].slug
}

const nameOf = (path: string) =>
  path
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'one')
    .replaceAll(/\W+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'home'

/** Opens a page at a width in both colour schemes, and returns the boxes. */
async function look(path: string, width: number): Promise<Record<(typeof schemes)[number], Box[]>> {
  await page.setViewportSize({ width, height: 800 })
  await page.goto(path)
  await page.evaluate(() => (globalThis as any).document.fonts.ready)
  const boxes: Partial<Record<(typeof schemes)[number], Box[]>> = {}
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    boxes[colorScheme] = await boxesOf(page)
    await keepPicture(page, `${width}-${colorScheme}/${nameOf(path)}.png`)
  }
  return boxes as Record<(typeof schemes)[number], Box[]>
}

describe.each(widths)('at %i px', (width) => {
  test('no page has content off screen, and no colour scheme moves anything', async () => {
    const faults: string[] = []
    for (const path of paths) {
      const { light, dark } = await look(path, width)
      const found = [...(await sidewaysFaults(page)), ...(await clippedContent(page))]
      faults.push(...found.map((fault) => `${path}: ${fault}`))
      if (JSON.stringify(light) !== JSON.stringify(dark)) faults.push(`${path}: moves when dark`)
    }
    expect(faults).toEqual([])
  }, 300_000)

  test('every block of the pages with fixed content is where it was', async () => {
    const light: Box[] = []
    for (const path of fixed) light.push(...(await look(path, width)).light)
    const all = isRecording ? {} : JSON.parse(readFileSync(recorded, 'utf8'))
    if (isRecording) record(width, light)
    else expect(differences(all[width], light)).toEqual([])
  })
})

function record(width: number, boxes: Box[]): void {
  const before = width === widths[0] ? {} : JSON.parse(readFileSync(recorded, 'utf8'))
  const lines = Object.entries({ ...before, [width]: boxes }).map(
    ([key, list]) => `  "${key}": [\n${listed(list as Box[])}\n  ]`,
  )
  writeFileSync(recorded, `{\n${lines.join(',\n')}\n}\n`)
}

const listed = (boxes: Box[]) =>
  boxes.map((box) => `    ${JSON.stringify(box).replaceAll(',', ', ')}`).join(',\n')

/** The boxes that moved or changed size. If one shifts everything below it, that counts once. */
function differences(expected: Box[], actual: Box[]): string[] {
  if (expected.length !== actual.length) {
    return [`${expected.length} boxes were recorded, ${actual.length} found`]
  }
  return actual.flatMap((box, index) => {
    const [name, x, , width, height] = box
    const [, wasX = 0, , wasWidth = 0, wasHeight = 0] = expected[index] ?? []
    const isNear = (a: number, b: number) =>
      Math.abs(a - b) <= Math.max(TOLERANCE.place, b * TOLERANCE.size)
    const isSame = isNear(x, wasX) && isNear(width, wasWidth) && isNear(height, wasHeight)
    return isSame ? [] : [`${index} ${name}: ${box} was ${expected[index]}`]
  })
}

test('every page is loaded whole in less than 100 kB', async () => {
  const heavy: string[] = []
  for (const path of paths) {
    const bytes = await transferredBytes(page, path)
    if (bytes >= MAX_BYTES) heavy.push(`${path}: ${bytes}`)
  }
  expect(heavy).toEqual([])
}, 300_000)

test('the typeface is ours, with digits of equal width', async () => {
  await page.goto('/dashboard/usage')
  const faces = await page.evaluate(async () => {
    const { document } = globalThis as any
    await document.fonts.ready
    return [...document.fonts]
      .filter(({ status }: any) => status === 'loaded')
      .map(({ family }: any) => family)
  })
  expect(faces).toEqual(['Inter'])
  const [ones, zeros] = await page.evaluate(() => {
    const { document } = globalThis as any
    return ['11111', '00000'].map((text) => {
      const time = document.createElement('time')
      time.textContent = text
      document.querySelector('main p').append(time)
      return time.getBoundingClientRect().width
    })
  })
  expect(ones).toBeCloseTo(zeros ?? 0, 1)
})

test('the largest paint of a page on a slow phone is measured and printed', async () => {
  await page.setViewportSize({ width: 390, height: 800 })
  for (const path of ['/', '/venues', '/docs', '/dashboard', '/dashboard/deliveries']) {
    // Performance is not asserted, as this is not the reader's machine.
    console.log(`largest paint of ${path}: ${await largestPaintMs(page, path)} ms`)
  }
})
