import axe from 'axe-core'
import type { Page } from 'playwright-core'

const grave = ['serious', 'critical']

/** What axe finds serious on the page, each with the element that it is about. */
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

/** What makes the page scroll sideways, when it does. */
export function sidewaysFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document } = globalThis as any
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) =>
        element.getBoundingClientRect().right > clientWidth && !element.closest('.scroll, pre'),
    )
    return [
      `wider by ${scrollWidth - clientWidth}: ${wide.slice(0, 3).map((element) => element.outerHTML.slice(0, 120))}`,
    ]
  })
}
