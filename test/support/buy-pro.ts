import { expect } from 'vitest'
import type { Browser } from './developers.ts'

export const locationOf = ({ headers }: { headers: Headers }) => headers.get('location') ?? ''

export const payPathIn = (html: string) =>
  /href="http:\/\/127\.0\.0\.1:3000(\/pay\/[^"]+)"/.exec(html)?.[1] ?? ''

export async function pay(browser: Browser, card = 'works') {
  const asked = await browser.post('/dashboard/plan', { tier: 'pro' })
  expect(asked.status).toBe(303)
  const path = locationOf(asked)
  expect(path).toMatch(/^\/dashboard\/payments\//)
  const { html } = await browser.get(path)
  expect(html).toContain('Pay USD 49')
  const payPath = payPathIn(html)
  const page = await browser.get(payPath)
  expect(page.html).toContain('no money moves')
  const origin = { origin: 'http://127.0.0.1:3000' }
  const paid = await browser.post(payPath, { card }, origin)
  expect(locationOf(paid)).toContain(path)
  return { path, payPath }
}

/** Buys pro in the dashboard and returns the path of the payment page. */
export const buy = async (...args: Parameters<typeof pay>) => (await pay(...args)).path
