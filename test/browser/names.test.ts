import { randomUUID } from 'node:crypto'
import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guestPageUrl } from '../../src/bookings/steps/guest-link.ts'
import { venueLinkUrl } from '../../src/confirmation/rules/venue-link.ts'
import { insertLink } from '../../src/confirmation/store/venue-links.ts'
import { insertBareBooking } from '../support/bare-booking.ts'
import { openChromium } from '../support/chromium.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { openView } from '../support/looks.ts'
import { daily, isNightly } from '../support/nightly.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { sidewaysFaults } from '../support/page-faults.ts'

const LONG = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(4).slice(0, 120)
const ARABIC = 'مطعم الياسمين'

let doors: Doors
let chromium: Chromium
let reader: Browser
let cookie: string
const paths: string[] = []
beforeAll(async () => {
  doors = await openDoors()
  chromium = await openChromium()
  reader = await openBrowser(doors, { isOperator: true, tier: 'pro' })
  cookie = reader.cookie
  const { db, sealer, url } = doors
  for (const name of [LONG, ARABIC]) {
    const id = await insertBareBooking(db, reader.accountId)
    const { rows } = await db.query(
      `update venue set name = $2 where id = (
         select venue_id from service order by id offset $1 limit 1) returning id, slug`,
      [name === LONG ? 0 : 7, name],
    )
    const [venue] = rows
    await db.query(
      `update booking set venue_id = $2, status = 'confirmed', next_action_at = starts_at
       where id = $1`,
      [id, venue.id],
    )
    await db.query(
      `update request set venue_id = $2, guest_ref = $3, body_hash = 'x' where booking_id = $1`,
      [id, venue.id, name],
    )
    await db.query(
      `insert into booking_guest (booking_id, name, notes, erase_after) values ($1, $2, $2, now())`,
      [id, name],
    )
    await reader.post('/dashboard/keys', {
      name: name.slice(0, 100),
      mode: 'live',
      form: randomUUID(),
    })
    await reader.post('/dashboard/clocks', { name: name.slice(0, 100), form: randomUUID() })
    await reader.post('/dashboard/webhooks', {
      url: `https://hooks.example/${name === LONG ? LONG : 'a'}`,
      description: name,
      form: randomUUID(),
    })
    const link = { id: randomUUID(), venueId: venue.id, bookingId: null, days: 1, at: new Date() }
    const staff = new URL(venueLinkUrl(sealer, url, await insertLink(db, link))).pathname
    const guest = new URL(guestPageUrl(sealer, url, id)).pathname
    paths.push(
      ...[`/dashboard/bookings/${id}`, `/dashboard/bookings/${id}/cancel`],
      ...[guest, `${guest}/cancel`, staff, `${staff}/bookings/${id}`],
      ...[`/venues/${venue.slug}`, `/dashboard/operators/bookings/${id}`],
      `/dashboard/operators/venues/${venue.slug}`,
    )
  }
  await db.query('update account set name = $2 where id = $1', [
    reader.accountId,
    LONG.slice(0, 100),
  ])
  await db.query('update developer set email = $2 where id = $1', [
    reader.developerId,
    `${LONG.slice(0, 60)}@${LONG.slice(0, 50)}.example`,
  ])
  paths.push(
    ...['/dashboard', '/dashboard/bookings', '/dashboard/keys', '/dashboard/clocks'],
    ...['/dashboard/webhooks', '/dashboard/members', '/dashboard/audit', '/dashboard/account'],
    ...['/dashboard/usage', '/dashboard/requests', '/venues', `/dashboard/search?q=${LONG}`],
    ...['/dashboard/operators', '/dashboard/operators/accounts', '/dashboard/operators/venues'],
    ...[`/dashboard/operators/accounts/${reader.accountId}`, '/dashboard/operators/bookings'],
  )
}, 120_000)
afterAll(async () => {
  await chromium?.close()
  await doors?.close()
})

/** Content that is cut off or off screen, including in tables. */
const hidden = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...(globalThis as any).document.querySelectorAll('.scroll')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(
        (box) =>
          `table wider by ${box.scrollWidth - box.clientWidth}: ${box.textContent.slice(0, 80)}`,
      ),
  )

describe.each(daily([390, 1440]))('with long names and Arabic ones, at %d pixels,', (width) => {
  test('no page scrolls sideways and no column is hidden', async () => {
    const view = await openView(chromium, { url: doors.url, look: 'wide', cookie })
    await view.page.setViewportSize({ width, height: 900 })
    const faults: string[] = []
    for (const path of paths) {
      const response = await view.page.goto(path)
      if (response?.status() !== 200) faults.push(`${path}: ${response?.status()}`)
      const name = path.replaceAll(/\W+/g, '-').slice(0, 60)
      // Other tests look for the faults of accessibility on pages of each kind.
      if (isNightly) await view.see(`names-${width}${name}`)
      const found = [...(await sidewaysFaults(view.page)), ...(await hidden(view.page))]
      faults.push(...found.map((fault) => `${path}: ${fault}`))
    }
    await view.close()
    expect(faults).toEqual([])
    expect(view.faults).toEqual([])
  })
})

test('a date after an Arabic name stays where it is written', async () => {
  const view = await openView(chromium, { url: doors.url, look: 'wide', cookie })
  const { rows } = await doors.db.query(
    `select b.id from booking b join venue v on v.id = b.venue_id where v.name = $1`,
    [ARABIC],
  )
  await view.page.goto(`/dashboard/bookings/${rows[0].id}`)
  const places = await view.page.evaluate(() => {
    const { document } = globalThis as any
    const name = document.querySelector('h1 bdi')
    const range = document.createRange()
    range.selectNodeContents(name.nextSibling)
    return [name.getBoundingClientRect().right, range.getBoundingClientRect().left]
  })
  expect(places[0]).toBeLessThanOrEqual((places[1] ?? 0) + 1)
  await view.close()
})
