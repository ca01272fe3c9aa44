import { resolve } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { isNightly } from './nightly.ts'
import { axeFaults, sidewaysFaults } from './page-faults.ts'

/** Where screenshots of the pages are kept for review. */
const pictures = resolve(import.meta.dirname, '../../artifacts/browser')

/** The screens and colour schemes in which pages are viewed. */
export const looks = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  scriptless: { viewport: { width: 1280, height: 800 }, javaScriptEnabled: false },
} as const satisfies Record<string, BrowserContextOptions>

export type Look = keyof typeof looks

/** All looks nightly; otherwise this one, chosen so that the test files together cover them all. */
export const looksOf = (daily: Look): Look[] =>
  isNightly ? (Object.keys(looks) as Look[]) : [daily]

/** A browser window, and how a person uses it. */
export type View = {
  page: Page
  runsScripts: boolean
  /** all faults so far: serious axe findings, sideways scrolling and console errors */
  faults: string[]
  /** Takes a screenshot under this name and adds the page's faults. */
  see(name: string): Promise<void>
  /** Clicks, and waits for the next page. */
  follow(what: Locator): Promise<void>
  link(name: string | RegExp): Promise<void>
  button(name: string | RegExp): Promise<void>
  /** Opens a dashboard page through the navigation. */
  go(name: string): Promise<void>
  /** Waits for a text to appear on the page. */
  shows(text: string | RegExp): Promise<void>
  close(): Promise<void>
}

/** A screenshot takes half a second of CPU time, so it is taken only if someone will look at it. */
export async function keepPicture(page: Page, file: string): Promise<void> {
  if (!isNightly) return
  await page.screenshot({ path: resolve(pictures, file), fullPage: true })
}

/** A view that counts a person's clicks. */
export function counting(view: View) {
  let clicks = 0
  const click = async (work: Promise<void>) => {
    clicks += 1
    await work
  }
  return {
    clicks: () => clicks,
    follow: (what: Locator) => click(view.follow(what)),
    link: (name: string) => click(view.link(name)),
    button: (name: string) => click(view.button(name)),
    go: (name: string) => click(view.go(name)),
  }
}

/** Reads a page, and again if it reloads itself in the meantime. */
async function readLoaded<T>(page: Page, read: (page: Page) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read(page)
    } catch (error) {
      if (!String(error).includes('Execution context was destroyed')) throw error
      await page.waitForLoadState()
    }
  }
}

/** Opens a window on this server; `cookies` signs a user in. */
export async function openView(
  browser: Browser,
  { url, look, cookie }: { url: string; look: Look; cookie?: string },
): Promise<View> {
  const options: BrowserContextOptions = looks[look]
  const runsScripts = options.javaScriptEnabled !== false
  const context = await browser.newContext({ ...options, baseURL: url })
  context.setDefaultTimeout(60_000)
  const [name, value] = cookie?.split('=', 2) ?? []
  if (name && value) await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))

  const view: View = {
    page,
    runsScripts,
    faults,
    async see(name) {
      await keepPicture(page, `${look}-${name}.png`)
      const found = await readLoaded(page, sidewaysFaults)
      if (runsScripts) found.push(...(await readLoaded(page, axeFaults)))
      faults.push(...found.map((fault) => `${name}: ${fault}`))
    },
    async follow(what) {
      await Promise.all([page.waitForEvent('load'), what.click()])
    },
    link: (name) => view.follow(page.getByRole('link', { name, exact: true })),
    button: (name) => view.follow(page.getByRole('button', { name, exact: true })),
    async go(name) {
      const menu = page.locator('summary', { hasText: 'Menu' })
      if (await menu.isVisible()) await menu.click()
      const navigation = page.getByRole('navigation', { name: /^Dashboard/ })
      await view.follow(navigation.getByRole('link', { name, exact: true }))
    },
    shows: (text) => page.getByText(text).first().waitFor(),
    close: () => context.close(),
  }
  return view
}
