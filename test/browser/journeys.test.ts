import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { openChromium } from '../support/chromium.ts'
import { openBrowser } from '../support/developers.ts'
import { accrueFee } from '../support/fees.ts'
import { counting, looksOf, openView, type View } from '../support/looks.ts'
import { openService, type Service } from '../support/network.ts'

const run = promisify(execFile)

let service: Service
let chromium: Browser
beforeAll(async () => {
  service = await openService()
  chromium = await openChromium()
}, 120_000)
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

/** Runs the TypeScript from a section of the quickstart, as if pasted. */
async function runSnippet({ page }: View, section: string, key: string) {
  const code = page
    .locator('section.card', { hasText: section })
    .locator('pre[aria-label="TypeScript"] code')
  const text = ((await code.textContent()) ?? '').replaceAll('service_live_YOUR_KEY', key)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', text])
  return stdout
}

describe.each(looksOf('scriptless'))('a developer (%s)', (look) => {
  let view: View
  let key: string
  beforeAll(async () => {
    view = await openView(chromium, { url: service.url, look })
  })
  afterAll(() => view?.close())

  test('gets from the sign-up to the first call with one click', async () => {
    const { page } = view
    const person = counting(view)
    await page.goto('/sign-up')
    await page.getByLabel('Email').fill(`journey-${look}@example.com`)
    await page.getByLabel('Password').fill('correct horse battery')
    await person.button('Create account')
    key = (await page.locator('main copy-button.copyable code').first().textContent()) ?? ''
    expect(await runSnippet(view, 'Your first request', key)).toMatch(/venue: \{/)
    const frame = view.runsScripts ? page : page.frameLocator('iframe.first-call')
    await frame.getByText('We received your first request').waitFor()
    expect(person.clicks()).toBe(1)
  })

  test('gets from the first call to the first booking with three more clicks', async () => {
    const person = counting(view)
    await person.link('Upgrade to pro')
    await person.button('Upgrade to pro')
    await person.go('Quickstart')
    const said = await runSnippet(view, 'Your first booking', key)
    expect(said).toMatch(/status: '(confirmed|pending)'/)
    expect(person.clicks()).toBe(3)
    await view.see('quickstart-pro')
    await view.go('Overview')
    await view.see('overview')
  })

  test('reads the fees of the month with one click from home', async () => {
    const person = counting(view)
    await view.page.goto('/dashboard')
    await person.go('Usage and fees')
    expect(await view.page.locator('main').innerText()).toMatch(/[A-Z]{3} [1-9][\d,.]*/)
    expect(person.clicks()).toBe(1)
    await view.see('fees')
  })

  test('finds a booking by its id without a click', async () => {
    const { page } = view
    await view.go('Bookings')
    const href = await page.locator('main tbody a').first().getAttribute('href')
    const id = href?.split('/').at(-1) ?? ''
    const field = page.getByRole('searchbox', { name: 'Search the dashboard' })
    if (view.runsScripts && look === 'wide') {
      await page.keyboard.press('Control+k')
      expect(await field.evaluate((one: any) => one.ownerDocument.activeElement === one)).toBe(true)
    }
    await field.fill(`  ${id.replaceAll('-', ' ')} `)
    await Promise.all([page.waitForEvent('load'), field.press('Enter')])
    expect(new URL(page.url()).pathname).toBe(href)
    await view.see('booking-found')
  })

  test('meets only accessible pages that fit the screen and log no console error', () => {
    expect(view.faults).toEqual([])
  })
})

test('a reader sees the zone of the browser from the first page after the sign-up', async () => {
  const context = await chromium.newContext({ baseURL: service.url, timezoneId: 'Asia/Makassar' })
  const page = await context.newPage()
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill('zone@example.com')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Asia/Makassar, UTC+08:00').first().waitFor()
  await page.goto('/dashboard/keys')
  const time = page.locator('main tbody relative-time').last()
  expect(await time.textContent()).toMatch(/\d+ \w{3} \d{4}, \d\d:\d\d .*\d\d:\d\d UTC, /)
  await context.close()
})

test('a printed invoice has neither navigation nor buttons', async () => {
  const { accountId, cookie } = await openBrowser(service)
  await accrueFee(service.db, { accountId, minor: 700_000 })
  await closeMonthsOf(service.db, accountId, new Date('2026-11-01T01:00:00Z'))
  const view = await openView(chromium, { url: service.url, look: 'wide', cookie })
  await view.page.goto('/dashboard/invoices')
  await view.page.getByRole('link', { name: /^INV-/ }).click()
  await view.page.getByRole('button', { name: 'Print' }).waitFor()
  await view.page.emulateMedia({ media: 'print' })
  for (const gone of ['.top', '.side', 'print-page']) {
    expect(await view.page.locator(gone).isVisible()).toBe(false)
  }
  await view.shows('IDR 7,000')
  expect((await view.page.pdf()).length).toBeGreaterThan(1_000)
  await view.close()
})
