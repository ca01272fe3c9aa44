import type { Page } from 'playwright-core'

/**
 * Content that readers cannot see without scrolling sideways, where code is allowed to scroll, or
 * that runs over into the next cell.
 */
export function clippedContent(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document, innerWidth, getComputedStyle } = globalThis as any
    const mayScroll = 'pre, code-tabs [role="tablist"], .tabs ul, svg, .skip, thead'
    const texts = [...document.querySelectorAll('main *')].filter(
      (element: any) =>
        element.children.length === 0 &&
        element.textContent.trim() !== '' &&
        !element.closest(mayScroll) &&
        element.checkVisibility(),
    )
    const isOutside = (element: any) => {
      const { left, right } = element.getBoundingClientRect()
      return right > innerWidth + 1 || left < -1
    }
    const cells = [...document.querySelectorAll('main li > *, main dd')]
    const runsOut = (element: any) =>
      element.clientWidth > 0 &&
      element.scrollWidth > element.clientWidth + 1 &&
      getComputedStyle(element).overflowX === 'visible' &&
      element.checkVisibility()
    return [...texts.filter(isOutside), ...cells.filter(runsOut)].map((element: any) =>
      element.outerHTML.slice(0, 120),
    )
  })
}

/** The position of each block on a page: its element, place and size, in pixels. */
export type Box = [name: string, x: number, y: number, width: number, height: number]

/** The boxes of headings, forms, tables and other blocks, in page order. */
export function boxesOf(page: Page): Promise<Box[]> {
  return page.evaluate(() => {
    const { document } = globalThis as any
    const blocks = 'header, nav, h1, h2, h3, form, table, .card, .empty, .chips, .facts, figure'
    const shown = [...document.querySelectorAll(blocks)].filter((one: any) => one.checkVisibility())
    return shown.map((element: any): Box => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const round = Math.round
      return [element.localName, round(x), round(y), round(width), round(height)]
    })
  })
}

/** The bytes transferred for a page with nothing cached, including its assets. */
export async function transferredBytes(page: Page, path: string): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  let bytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(path, { waitUntil: 'load' })
  await page.evaluate(() => (globalThis as any).document.fonts.ready)
  await devtools.detach()
  return bytes
}

const SLOW_PHONE = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 }

/** When the largest text or picture is painted on a slow phone with nothing cached, in ms. */
export async function largestPaintMs(page: Page, path: string): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_PHONE })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(path, { waitUntil: 'load' })
  const ms = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const { PerformanceObserver } = globalThis as any
        new PerformanceObserver((list: any) => resolve(list.getEntries().at(-1).startTime)).observe(
          { type: 'largest-contentful-paint', buffered: true },
        )
      }),
  )
  await devtools.detach()
  return Math.round(ms)
}
