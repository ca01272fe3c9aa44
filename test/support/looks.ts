import { resolve } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { axeFaults, sidewaysFaults } from './page-faults.ts'

/** Pictures of the pages, to be looked at after a run. */
const pictures = resolve(import.meta.dirname, '../../artifacts/browser')

/** The ways in which pages are looked at. */
export const looks = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  scriptless: { viewport: { width: 1280, height: 800 }, javaScriptEnabled: false },
} as const satisfies Record<string, BrowserContextOptions>

export type Look = keyof typeof looks

/** A window of a browser of its own, and how a person gets about in it. */
export type View = {
  page: Page
  runsScripts: boolean
  /** everything that was wrong so far: what axe finds serious, what scrolls sideways, and errors of the console */
  faults: string[]
  /** Keeps a picture of the page under this name and adds what is wrong with it. */
  see(name: string): Promise<void>
  /** Clicks, and waits for the page that this leads to. */
  follow(what: Locator): Promise<void>
  link(name: string | RegExp): Promise<void>
  button(name: string | RegExp): Promise<void>
  /** Goes to a page of the dashboard by its navigation. */
  go(name: string): Promise<void>
  /** Waits for a text on the page. */
  shows(text: string | RegExp): Promise<void>
  close(): Promise<void>
}

/** Opens one on this server; `cookies` has somebody signed in already. */
export async function openView(
  browser: Browser,
  { url, look, cookie }: { url: string; look: Look; cookie?: string },
): Promise<View> {
  const options: BrowserContextOptions = looks[look]
  const runsScripts = options.javaScriptEnabled !== false
  const context = await browser.newContext({ ...options, baseURL: url })
  context.setDefaultTimeout(20_000)
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
      await page.screenshot({ path: resolve(pictures, `${look}-${name}.png`), fullPage: true })
      const found = await sidewaysFaults(page)
      if (runsScripts) found.push(...(await axeFaults(page)))
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
