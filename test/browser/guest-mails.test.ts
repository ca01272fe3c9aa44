import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../src/platform/database/sql.ts'
import { openWorld, type World } from '../../tools/proof/world.ts'
import { openChromium } from '../support/chromium.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { bookedFor, openPostOffice, wanting } from '../support/guests.ts'
import { keepPicture } from '../support/looks.ts'
import { axeFaults, sidewaysFaults } from '../support/page-faults.ts'

let database: TestDatabase
let world: World
let chromium: Browser
beforeAll(async () => {
  database = await createDatabase()
  world = await openWorld(openPool(database.url, 2, () => {}))
  chromium = await openChromium()
})
afterAll(async () => {
  await chromium?.close()
  await world?.db.end()
  await database?.drop()
})

test('an email is readable on a phone, on a desk and in the dark, with hostile names', async () => {
  const start = await bookedFor(world.db, wanting())
  const name = `مطعم <b onclick="x">${'VeryLong'.repeat(30)}</b>`
  await world.db.query(`update venue set name = $2, phone = '+628123456789' where id = $1`, [
    start.venueId,
    name,
  ])
  const office = openPostOffice(world.db)
  await office.mail(start)
  const [{ html = '', text = '' } = {}] = office.mails
  expect(html).toContain('&lt;b onclick=&quot;x&quot;&gt;')
  expect(html).not.toMatch(/evil|Sari|<img|<script|<link/)
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
  expect(links).toHaveLength(4)
  for (const link of links.filter((one) => !one.startsWith('tel:'))) {
    expect(text).toContain(link.replaceAll('&amp;', '&'))
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 600]) {
      const page = await chromium.newPage({ viewport: { width, height: 740 }, colorScheme })
      await page.setContent(html)
      expect(await page.getByRole('link', { name: 'See your booking' }).isVisible()).toBe(true)
      expect([...(await axeFaults(page)), ...(await sidewaysFaults(page))]).toEqual([])
      await keepPicture(page, `guest-mail-${width}-${colorScheme}.png`)
      await page.close()
    }
  }
})
