import { setTimeout } from 'node:timers/promises'
import { openBrowser } from '../test/support/developers.ts'
import { fillTraffic } from './dashboard-traffic.ts'
import { paced } from './paced.ts'
import type { Service } from './service.ts'

const TRAFFIC = { bookings: 5_000, endpoints: 5, events: 10_000 }
/** Below what one account may open in a minute. */
const PAGES_PER_SECOND = 9
const SECONDS = 5

/** Each page of a busy account of the dashboard, opened by one person at a pace that leaves the machine time to spare. */
export async function benchDashboard({ db, url }: Service): Promise<void> {
  const browser = await openBrowser({ url, db }, { tier: 'pro', isOperator: true })
  const { accountId } = browser
  await fillTraffic(db, accountId, TRAFFIC)
  const one = async (text: string) => (await db.query(text, [accountId])).rows[0].id
  const booking = await one('select id from booking where account_id = $1 order by id limit 1')
  const endpoint = await one('select id from endpoint where account_id = $1 order by nth limit 1')
  const delivery = await one(
    `select d.id from delivery d join endpoint e on e.id = d.endpoint_id
     where e.account_id = $1 and d.status = 'failed' order by event_number limit 1`,
  )
  const month = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const deliveries = '/dashboard/deliveries'
  const pages = [
    '/dashboard/bookings',
    '/dashboard/bookings?status=cancelled',
    '/dashboard/bookings?status=failed',
    `/dashboard/bookings?from=${month(-400)}`,
    `/dashboard/bookings?to=${month(190)}`,
    `/dashboard/bookings/${booking}`,
    '/dashboard/webhooks',
    `/dashboard/webhooks/${endpoint}`,
    deliveries,
    `${deliveries}?status=failed`,
    `${deliveries}?status=discarded`,
    `${deliveries}?type=endpoint.test`,
    `${deliveries}?type=booking.no_show`,
    `${deliveries}?until=${month(6)}T00:00`,
    `${deliveries}?from=${month(6)}T00:00&until=${month(6)}T00:30`,
    `${deliveries}/${delivery}`,
    '/dashboard/events',
    '/dashboard/events?types=endpoint.test',
    '/dashboard/events/5000',
    '/dashboard/events/types',
    '/dashboard/operators',
  ]
  for (const page of pages) {
    while ((await browser.get(page)).status === 503) await setTimeout(1_000)
    const times = await paced(
      { callers: 1, perSecond: PAGES_PER_SECOND, seconds: SECONDS },
      async () => {
        const { status, html } = await browser.get(page)
        if (status !== 200) throw new Error(`${page}: ${status} ${html}`)
      },
    )
    const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0
    const shown = page.replaceAll(/[0-9a-f-]{36}/g, '{id}').padEnd(72)
    console.log(`${shown}  p50 ${at(0.5).toFixed(1)} ms  p95 ${at(0.95).toFixed(1)} ms`)
  }
}
