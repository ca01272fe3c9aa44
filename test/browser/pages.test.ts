import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devMailboxUrl } from '../../src/platform/mail/dev-mailbox.ts'
import { openChromium } from '../support/chromium.ts'
import { openBrowser } from '../support/developers.ts'
import { looks, openView, type View } from '../support/looks.ts'
import { openService, type Service } from '../support/network.ts'
import { isNightly, nightly } from '../support/nightly.ts'
import { axeFaults } from '../support/page-faults.ts'
import { sealerOf } from '../support/venue-people.ts'

let service: Service
let chromium: Browser
let cookie: string
beforeAll(async () => {
  service = await openService({ OPEN_REQUESTS_PER_MINUTE: '10000' })
  chromium = await openChromium()
  cookie = (await openBrowser(service, { isOperator: true })).cookie
}, 120_000)
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

type Visit = { path: string; status: number; bytes: number; hasScripts: boolean }

/** One of many similar pages represents them all. */
const kindOf = (path: string) =>
  path
    .replace(/^\/venues\/[^?]+/, '/venues/…')
    .replace(/^\/reference\/.+/, '/reference/…')
    .replace(/^(\/dashboard\/events\/types)\/.+/, '$1/…')
    .replace(/=[^&]*/g, '=')

const isPage = (path: string) =>
  !/^\/(api|openapi|readyz|\.well-known)\b|\.csv\b/.test(path) &&
  !/\.(md|txt|xml|json|mjs|py|sh|ts|go|ics)$/.test(path)

/** Follows links from these pages and opens each on a dark phone, nightly also on a wide screen. */
async function visitAll(view: View, starts: string[], isOurs: (path: string) => boolean) {
  const { page } = view
  const visits: Visit[] = []
  const queue = [...starts]
  const seen = new Set(queue.map(kindOf))
  for (const path of queue) {
    const response = await page.goto(path)
    const bytes = (await response?.body())?.length ?? 0
    const hasScripts = (await page.locator('script[src]').count()) > 0
    visits.push({ path, status: response?.status() ?? 0, bytes, hasScripts })
    await view.see(path.replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '').slice(0, 60) || 'home')
    if (isNightly) await seeWide(view, path)
    const links: string[] = await page
      .locator('a[href]')
      .evaluateAll((all: any[]) => all.map((link) => link.getAttribute('href')))
    for (const link of links) {
      const { origin, pathname, search } = new URL(link, page.url())
      const next = pathname + search
      const isNew = origin === service.url && isPage(pathname) && !seen.has(kindOf(next))
      if (!isNew || !isOurs(pathname)) continue
      seen.add(kindOf(next))
      queue.push(next)
    }
  }
  return visits
}

async function seeWide({ page, faults }: View, path: string) {
  await page.setViewportSize(looks.wide.viewport)
  await page.emulateMedia({ colorScheme: 'light' })
  faults.push(...(await axeFaults(page)).map((fault) => `${path}, wide: ${fault}`))
  await page.setViewportSize(looks.phone.viewport)
  await page.emulateMedia({ colorScheme: 'dark' })
}

const isDashboard = (path: string) => path.startsWith('/dashboard')

describe.each([
  {
    whose: 'for everybody',
    isSignedIn: false,
    mostBytes: 100_000,
    starts: ['/', '/sign-up', '/sign-in', '/forgot-password', '/dev/mail', '/docs/find?q=webhook'],
    isOurs: (path: string) => !isDashboard(path),
  },
  {
    whose: 'of an empty account',
    isSignedIn: true,
    mostBytes: 60_000,
    starts: ['/dashboard'],
    isOurs: isDashboard,
  },
])('the pages $whose', ({ isSignedIn, mostBytes, starts, isOurs }) => {
  let view: View
  let visits: Visit[]
  beforeAll(async () => {
    const signedIn = isSignedIn && { cookie }
    view = await openView(chromium, { url: service.url, look: 'phone', ...signedIn })
    // The cookie set here opens the mailbox.
    await view.page.goto(devMailboxUrl(service.url, sealerOf(service)))
    visits = await visitAll(view, starts, isOurs)
  }, 400_000)
  afterAll(() => view?.close())

  test('all exist', () => {
    expect(visits.length).toBeGreaterThan(10)
    expect(visits.filter(({ status }) => status !== 200)).toEqual([])
  })

  test('are accessible, fit a phone’s width, and log no console error', () => {
    expect(view.faults).toEqual([])
  })

  nightly('are accessible without scripts too', async () => {
    const signedIn = isSignedIn && { cookie }
    const bare = await openView(chromium, { url: service.url, look: 'wide', ...signedIn })
    // axe needs scripts, so only the page's own are blocked. Script-free pages are checked above.
    await bare.page.route(/\.js\b/, (route) => route.abort())
    const faults: string[] = []
    for (const { path } of visits.filter(({ hasScripts }) => hasScripts)) {
      await bare.page.goto(path)
      const found = await axeFaults(bare.page)
      faults.push(...found.map((fault) => `${path}: ${fault}`))
    }
    await bare.close()
    expect(faults).toEqual([])
  })

  test('are small', () => {
    expect(visits.filter(({ bytes }) => bytes > mostBytes)).toEqual([])
  })
})

test.each(['/dashboard', '/dashboard/deliveries', '/dashboard/usage', '/venues'])(
  '%s is painted before any script loads',
  async (path) => {
    const view = await openView(chromium, { url: service.url, look: 'wide', cookie })
    const { page } = view
    await page.route(/\.js\?/, () => {})
    await page.goto(path, { waitUntil: 'commit' })
    const paints = () =>
      page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)
    await expect.poll(paints, { timeout: 60_000, interval: 100 }).toBe(1)
    await view.close()
  },
)
