import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openView } from '../support/looks.ts'
import { openSite, testPages } from '../support/visit-pages.ts'

let site: Awaited<ReturnType<typeof openSite>>
beforeAll(async () => {
  site = await openSite()
}, 120_000)
afterAll(() => site?.close())

describe('the pages of an empty account', () => {
  testPages(() => site, {
    isSignedIn: true,
    mostBytes: 60_000,
    starts: ['/dashboard'],
    isOurs: (path) => path.startsWith('/dashboard'),
  })
})

test.each(['/dashboard', '/dashboard/deliveries', '/dashboard/usage', '/venues'])(
  '%s is painted before any script loads',
  async (path) => {
    const { chromium, service, cookie } = site
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
