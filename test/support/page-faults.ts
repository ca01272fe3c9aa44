import axe from 'axe-core'
import type { Page } from 'playwright-core'

const grave = ['serious', 'critical']

/** The serious faults that axe finds on the page, each with its element. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const violations: axe.Result[] = await page.evaluate(async () => {
    const results = await (globalThis as any).axe.run({ resultTypes: ['violations'] })
    return results.violations
  })
  return violations
    .filter(({ impact }) => grave.includes(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
    )
}

/** The elements that make the page scroll sideways, if any. */
export function sidewaysFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document } = globalThis as any
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) =>
        element.getBoundingClientRect().right > clientWidth && !element.closest('.scroll, pre'),
    )
    const first = wide.slice(0, 3).map((element) => element.outerHTML.slice(0, 120))
    return [`wider by ${scrollWidth - clientWidth}: ${first}`]
  })
}
