import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guestMailsUrl } from '../../src/bookings/steps/guest-link.ts'
import { findSlot } from '../support/agent.ts'
import { openChromium } from '../support/chromium.ts'
import { looksOf, openView } from '../support/looks.ts'
import { openService, type Service } from '../support/network.ts'
import { sealerOf } from '../support/venue-people.ts'

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

async function book(language: 'en' | 'id') {
  const slot = await findSlot(service.agent, 'restaurant in Bali')
  const guest = { name: 'Ayu', email: 'ayu@guest.example', notify: true, language }
  const headers = { 'idempotency-key': randomUUID() }
  const { body } = await service.agent.post('/api/bookings', { ...slot, guest }, headers)
  return body.booking as { id: string; guest_url: string }
}

test.each(looksOf('scriptless'))(
  'a guest sees the booking, cancels it and stops mails (%s)',
  async (look) => {
    const { id, guest_url } = await book('en')
    const view = await openView(chromium, { url: service.url, look })
    const { page } = view
    await page.goto(guest_url)
    await view.shows('Confirmed')
    await view.see('guest-booking')
    await view.link('Change time or guests')
    await page.getByLabel('Guests').fill('3')
    await view.button('Show times')
    await view.see('guest-change')
    await view.button('Change the booking')
    await view.shows('Your booking is changed.')
    await view.shows('3 guests')
    await view.link('Cancel this booking')
    await view.shows('Cancelling now is free.')
    await view.see('guest-cancel')
    await view.link('No, keep it')
    await view.link('Cancel this booking')
    await view.button('Yes, cancel it')
    await view.shows('The booking is cancelled.')
    await view.see('guest-cancelled')
    const read = await service.agent.get(`/api/bookings/${id}`)
    expect(read.body.booking).toMatchObject({ status: 'cancelled', cancelled_by: 'guest' })

    await page.goto(guestMailsUrl(sealerOf(service), service.url, id))
    await view.see('guest-mails')
    await view.button('Stop emails about this booking')
    await view.shows('No more emails will be sent about this booking.')
    await view.see('guest-mails-stopped')
    await view.button('Allow emails again')
    await view.shows('a…@g….example')
    await view.close()
    expect(view.faults).toEqual([])
  },
)

test('a guest reads Indonesian, and English on request', async () => {
  const { guest_url } = await book('id')
  const view = await openView(chromium, { url: service.url, look: 'phone' })
  await view.page.goto(guest_url)
  await view.shows('Terkonfirmasi')
  await view.see('guest-booking-id')
  await view.link('Batalkan reservasi ini')
  await view.shows('Pembatalan sekarang gratis.')
  await view.link('English')
  await view.shows('Cancelling now is free.')
  await view.close()
  expect(view.faults).toEqual([])
})
