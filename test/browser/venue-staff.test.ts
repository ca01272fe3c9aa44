import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium } from '../support/chromium.ts'
import { openView } from '../support/looks.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { requestFromStaff, staffAllDay } from '../support/venue-people.ts'

let service: Service
let chromium: Browser
beforeAll(async () => {
  service = await openService()
  await staffAllDay(service.db, 'restaurant')
  chromium = await openChromium()
}, 120_000)
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

const becomes = (id: string, status: string) =>
  eventually(`the booking ${id} to be ${status}`, async () => {
    const { body } = await service.agent.get(`/api/bookings/${id}`)
    return body.booking.status === status
  })

test('a waiter with one hand answers on a phone, also without a connection', async () => {
  const first = await requestFromStaff(service)
  await becomes(first.id, 'pending')
  const view = await openView(chromium, { url: service.url, look: 'phone' })
  const { page } = view
  const card = (id: string) => page.locator(`[data-request="${id}"]`)
  await page.goto(first.list)
  await card(first.id).getByText('Time left:').waitFor()
  await page.getByLabel('Sound for new requests').waitFor()
  await view.see('staff-board')

  const second = await requestFromStaff(service, { venue_id: first.slot.venue_id })
  await card(second.id).getByText('Decline').click()
  await view.see('staff-decline')
  await view.button('Fully booked')
  await view.shows('Declined. The agent that booked is told.')
  await becomes(second.id, 'declined')

  await page.context().setOffline(true)
  await card(first.id).getByRole('button', { name: 'Accept' }).click()
  await view.shows('Not sent yet, no connection: Accept.')
  const stored = await page.evaluate(() => JSON.stringify((globalThis as any).localStorage))
  expect(stored).not.toContain(new URL(first.list).pathname)
  await page.context().setOffline(false)
  await view.shows('Accepted. The booking is confirmed.')
  await becomes(first.id, 'confirmed')
  await card(first.id).waitFor({ state: 'detached' })

  await page.goto(first.page)
  await view.link('Cancel this booking')
  await view.shows('Tell them yourself')
  await view.see('staff-cancel')
  await view.close()
  expect(view.faults.filter((one) => !one.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
})

test('guests without a booking get a table in two taps, without scripts too', async () => {
  const { list } = await requestFromStaff(service)
  const view = await openView(chromium, { url: service.url, look: 'scriptless' })
  const { page } = view
  await page.goto(list)
  await page.getByText('Decline').first().click()
  await page.getByRole('button', { name: 'Group too large' }).waitFor()
  await view.link('4')
  await view.see('staff-tables')
  await view.button(/^Now, until/)
  await view.shows(/Taken: Today, .*, 4 guests/)
  await view.see('staff-walk-in')
  await view.follow(page.getByRole('button', { name: 'Free it again' }).first())
  await view.shows('Free again.')
  await view.close()
  expect(view.faults).toEqual([])
})
