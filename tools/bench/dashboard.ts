import { setTimeout } from 'node:timers/promises'
import { DAY_MS } from '../../src/base/durations.ts'
import { openBrowser } from '../../test/support/developers.ts'
import { fillTraffic } from './dashboard-traffic.ts'
import { paced } from './paced.ts'
import type { Service } from './service.ts'

const TRAFFIC = { bookings: 5_000, endpoints: 5, events: 10_000, calls: 200_000 }
/** A pace below one account's limit per minute. */
const PAGES_PER_SECOND = 8
/** Each page is opened once per round, so that background work affects all alike. */
const ROUNDS = 40
/** Warm-up rounds. */
const WARM_ROUNDS = 5
/** A page that does no work, as the baseline. */
const TRIVIAL = '/robots.txt'

/**
 * Every dashboard page of a busy account and the public pages, opened by one person at a pace
 * without queueing. The first line is the baseline.
 */
export async function benchDashboard({ db, url, amount }: Service): Promise<void> {
  const browser = await openBrowser({ url, db }, { tier: 'pro', isOperator: true })
  const { accountId } = browser
  const traffic = {
    bookings: amount(TRAFFIC.bookings),
    endpoints: TRAFFIC.endpoints,
    events: amount(TRAFFIC.events),
    calls: amount(TRAFFIC.calls),
  }
  await fillTraffic(db, accountId, traffic)
  const one = async (text: string) => (await db.query(text, [accountId])).rows[0].id
  const booking = await one('select id from booking where account_id = $1 order by id limit 1')
  const endpoint = await one('select id from endpoint where account_id = $1 order by nth limit 1')
  const delivery = await one(
    `select d.id from delivery d join endpoint e on e.id = d.endpoint_id
     where e.account_id = $1 and d.status = 'failed' order by event_number limit 1`,
  )
  const key = await one('select id from api_key where account_id = $1 order by id desc limit 1')
  const slug = (await db.query('select slug from venue order by slug limit 1')).rows[0].slug
  const dayAgo = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
  const deliveries = '/dashboard/deliveries'
  const requests = '/dashboard/requests'
  const pages = [
    TRIVIAL,
    '/dashboard',
    '/dashboard/account',
    '/dashboard/bookings',
    '/dashboard/bookings?status=cancelled',
    '/dashboard/bookings?status=failed',
    `/dashboard/bookings?from=${dayAgo(-400)}`,
    `/dashboard/bookings?to=${dayAgo(190)}`,
    `/dashboard/bookings/${booking}`,
    '/dashboard/webhooks',
    `/dashboard/webhooks/${endpoint}`,
    deliveries,
    `${deliveries}?status=failed`,
    `${deliveries}?status=discarded`,
    `${deliveries}?type=endpoint.test`,
    `${deliveries}?type=booking.no_show`,
    `${deliveries}?until=${dayAgo(6)}T00:00`,
    `${deliveries}?from=${dayAgo(6)}T00:00&until=${dayAgo(6)}T00:30`,
    `${deliveries}/${delivery}`,
    '/dashboard/events',
    '/dashboard/events?types=endpoint.test',
    `/dashboard/events/${traffic.events / 2}`,
    '/dashboard/events/types',
    requests,
    `${requests}?code=refused`,
    `${requests}?code=slot_unavailable`,
    `${requests}?code=venue_closed`,
    `${requests}?operation=make+itinerary`,
    `${requests}?operation=cancel+watch`,
    `${requests}?door=mcp`,
    `${requests}?key=${key}`,
    `${requests}?from=${dayAgo(6)}T00:00&until=${dayAgo(6)}T00:30`,
    '/dashboard/usage',
    `/dashboard/usage?month=${dayAgo(40).slice(0, 7)}`,
    '/dashboard/keys',
    `/dashboard/keys/${key}`,
    '/dashboard/plan',
    '/dashboard/agents',
    '/dashboard/operators',
    '/',
    '/venues',
    '/venues?q=sushi+in+Canggu',
    `/venues/${slug}`,
    '/docs',
    '/docs/webhooks',
    '/errors',
    '/status',
  ]
  const times = pages.map((): number[] => [])
  const open = async (page: string) => {
    const startedAt = performance.now()
    const { status, html } = await browser.get(page)
    if (status !== 200) throw new Error(`${page}: ${status} ${html}`)
    return performance.now() - startedAt
  }
  for (let round = 0; round < amount(WARM_ROUNDS); round += 1) {
    for (const page of pages) {
      while ((await browser.get(page)).status === 503) await setTimeout(1_000)
    }
  }
  const calls = amount(ROUNDS) * pages.length
  await paced(
    { callers: 1, perSecond: PAGES_PER_SECOND, seconds: calls / PAGES_PER_SECOND },
    async (n) => {
      const nth = n % pages.length
      times[nth]?.push(await open(pages[nth] ?? TRIVIAL))
      if (n % 200 === 0) process.stderr.write(`${n} of ${calls} pages\r`)
    },
  )
  for (const [nth, page] of pages.entries()) {
    const sorted = times[nth]?.sort((one, other) => one - other) ?? []
    const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)
    const name = page.replaceAll(/[0-9a-f-]{36}/g, '{id}').padEnd(72)
    console.log(`${name}  p50 ${at(0.5)} ms  p95 ${at(0.95)} ms`)
  }
}
