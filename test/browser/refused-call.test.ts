import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, agentWith, findSlot } from '../support/agent.ts'
import { openChromium } from '../support/chromium.ts'
import { looksOf, openView, type View } from '../support/looks.ts'
import { openService, type Service } from '../support/network.ts'
import { loggedRequest, openDeveloper } from '../support/request-log.ts'

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

describe.each(looksOf('phone'))('a refused call explained (%s)', (look) => {
  let view: View
  let agent: Agent
  let refusedId: string
  let bookingId: string
  let clicks = 0

  beforeAll(async () => {
    const { developer, key } = await openDeveloper(service)
    agent = agentWith(service.url, developer.accountId, key)
    view = await openView(chromium, { url: service.url, look, cookie: developer.cookie })
    const slot = await findSlot(agent, 'dinner in Canggu')
    const guest = { name: 'Budi Santoso', phone: '+62 811 5550 142' }
    const booked = await agent.post('/api/bookings', { ...slot, guest })
    bookingId = booked.body.booking.id
    const refused = await agent.post('/api/bookings', { ...slot, party_size: 900, guest })
    refusedId = refused.body.request_id
    await loggedRequest(service, key, refusedId)
  }, 60_000)
  afterAll(() => view?.close())

  const click = async (what: Locator) => {
    clicks += 1
    await view.follow(what)
  }

  test('takes two clicks from the dashboard to the reason and what to do', async () => {
    const { page } = view
    await page.goto('/dashboard')
    const menu = page.locator('summary', { hasText: 'Menu' })
    if (await menu.isVisible()) await menu.click()
    const navigation = page.getByRole('navigation', { name: /^Dashboard/ })
    await click(navigation.getByRole('link', { name: 'Requests', exact: true }))
    const row = page.locator('.calls a', { hasText: 'party_too_large' })
    for (const text of ['422', 'party_too_large', 'POST /api/bookings']) {
      const box = await row.getByText(text).boundingBox()
      const width = page.viewportSize()?.width ?? 0
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
    }
    await view.see('requests-refused')
    await click(row)
    expect(clicks).toBe(2)
    expect(await page.locator('h1').textContent()).toBe('POST /api/bookings → 422')
    await view.shows('What to do')
    await view.shows(/ask your user before you split the party/)
    await view.shows(refusedId)
    expect(await page.content()).not.toContain('Budi')
    await view.see('request-refused')
  })

  test('is found by its id, as are all requests about a booking by the booking’s id', async () => {
    const { page } = view
    await page.goto('/dashboard/requests')
    await page.getByLabel('Request or booking id').fill(refusedId)
    await view.button('Find')
    expect(new URL(page.url()).pathname).toBe(`/dashboard/requests/${refusedId}`)
    await page.goto('/dashboard/requests')
    await page.getByLabel('Request or booking id').fill(bookingId)
    await view.button('Find')
    await view.shows('Requests about')
    await view.see('requests-of-booking')
    await view.follow(page.locator('.calls a', { hasText: '201' }))
    await view.shows('Booking events since this request')
    await view.see('request-booked')
    await view.follow(page.getByRole('link', { name: bookingId, exact: true }))
    await view.follow(page.locator('.calls a', { hasText: '201' }))
    await view.shows('booking.confirmed')
  })

  test('is accessible, fits a phone’s width, and logs no console error', () => {
    expect(view.faults).toEqual([])
  })
})
