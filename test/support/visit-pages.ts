import { afterAll, beforeAll, expect, test } from 'vitest'
import { devMailboxUrl } from '../../src/platform/mail/dev-mailbox.ts'
import { openChromium } from './chromium.ts'
import { openBrowser } from './developers.ts'
import { looks, openView, type View } from './looks.ts'
import { openService } from './network.ts'
import { isNightly, nightly } from './nightly.ts'
import { axeFaults } from './page-faults.ts'
import { sealerOf } from './venue-people.ts'

type Visit = { path: string; status: number; bytes: number; hasScripts: boolean }

/** One of many similar pages represents them all. Nightly, each document is visited. */
const kindOf = (path: string) =>
  (isNightly ? path : path.replace(/^\/(docs|errors)\/[^?]+/, '/$1/…'))
    .replace(/^\/venues\/[^?]+/, '/venues/…')
    .replace(/^\/reference\/.+/, '/reference/…')
    .replace(/^(\/dashboard\/events\/types)\/.+/, '$1/…')
    .replace(/=[^&]*/g, '=')

const isPage = (path: string) =>
  !/^\/(api|openapi|readyz|\.well-known)\b|\.csv\b/.test(path) &&
  !/\.(md|txt|xml|json|mjs|py|sh|ts|go|ics)$/.test(path)

/** Follows links from these pages and opens each on a dark phone, nightly also on a wide screen. */
async function visitAll(view: View, url: string, { starts, isOurs }: Pages) {
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
      const isNew = origin === url && isPage(pathname) && !seen.has(kindOf(next))
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

export type Pages = {
  isSignedIn: boolean
  mostBytes: number
  /** where the crawl begins */
  starts: string[]
  /** whether the crawl follows links to this path */
  isOurs(path: string): boolean
}

/** A service, a browser, and the session of an operator whose account is empty. */
export async function openSite() {
  const service = await openService({ OPEN_REQUESTS_PER_MINUTE: '10000' })
  const chromium = await openChromium()
  const { cookie } = await openBrowser(service, { isOperator: true })
  const close = async () => {
    await chromium.close()
    await service.close()
  }
  return { service, chromium, cookie, close }
}

type Site = Awaited<ReturnType<typeof openSite>>

/** Tests of all pages that links lead to from `starts`. */
export function testPages(site: () => Site, pages: Pages): void {
  let view: View
  let visits: Visit[]
  beforeAll(async () => {
    const { service, chromium, cookie } = site()
    const signedIn = pages.isSignedIn && { cookie }
    view = await openView(chromium, { url: service.url, look: 'phone', ...signedIn })
    // The cookie set here opens the mailbox.
    await view.page.goto(devMailboxUrl(service.url, sealerOf(service)))
    visits = await visitAll(view, service.url, pages)
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
    const { service, chromium, cookie } = site()
    const signedIn = pages.isSignedIn && { cookie }
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
    expect(visits.filter(({ bytes }) => bytes > pages.mostBytes)).toEqual([])
  })
}
