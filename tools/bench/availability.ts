import { DAY_MS } from '../../src/base/durations.ts'
import { makeKey } from '../../test/support/agent.ts'
import { fillWithVenues } from './made-venues.ts'
import { type Pace, paced } from './paced.ts'
import type { Service } from './service.ts'

const CALLERS = 20
const DURATION_S = 8
const VENUES = 10_000
/** Calls per second, low enough that response times include no queueing. */
const DAYS_PER_SECOND = 200
const SEARCHES_PER_SECOND = 20

/**
 * One day at one venue and a search for 50 free venues, compared with a ping, with key check and
 * quota, by 20 paced callers: with the demo venues, then with 10,000.
 */
export async function benchAvailability(service: Service): Promise<void> {
  const { db, amount } = service
  const { key } = await makeKey(db, 'pro')
  const headers = { authorization: `Bearer ${key}` }
  const few = await measure(service, headers)
  const seconds = await fillWithVenues(db, amount(VENUES))
  console.log(`loaded ${amount(VENUES)} venues in ${seconds.toFixed(0)} s`)
  const many = await measure(service, headers)
  const ratio = (name: keyof typeof few) => (many[name] / few[name]).toFixed(2)
  console.log(
    `  p95 with ${amount(VENUES)} venues: one day ${ratio('day')} x, search ${ratio('search')} x`,
  )
}

async function measure({ db, url, amount }: Service, headers: Record<string, string>) {
  const [{ count }] = (await db.query('select count(*) from venue')).rows
  const { rows } = await db.query('select slug from venue order by md5(slug) limit 500')
  const days = rows.flatMap(({ slug }) =>
    [1, 2, 3].map((ahead) => `/api/venues/${slug}/availability?date=${dateIn(ahead)}`),
  )
  const places = ['Bali', 'Indonesia', 'Thailand', 'Vietnam', 'Seminyak', 'Ubud']
  const searches = places.flatMap((place) =>
    [2, 4].flatMap((party) =>
      ['12:30', '19:00'].map(
        (time) =>
          `/api/venues/search?q=restaurants+in+${place}&limit=50&party_size=${party}` +
          `&date=${dateIn(2)}&time=${time}`,
      ),
    ),
  )
  const call = (paths: readonly string[]) => async (n: number) => {
    const response = await fetch(url + paths[n % paths.length], { headers })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
  const [first = ''] = days
  const at = (perSecond: number) => ({ callers: CALLERS, perSecond, seconds: amount(DURATION_S) })
  await report('ping', count, at(DAYS_PER_SECOND), call(['/api/ping']))
  const one = await report(
    'availability of the same venue and day',
    count,
    at(DAYS_PER_SECOND),
    call([first]),
  )
  const day = await report(
    'availability of any venue, one day',
    count,
    at(DAYS_PER_SECOND),
    call(days),
  )
  const search = await report(
    'search of 50 for party and time',
    count,
    at(SEARCHES_PER_SECOND),
    call(searches),
  )
  return { one, day, search }
}

const dateIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** Measures at this pace after an equally long warm-up; returns the p95 in ms. */
async function report(
  name: string,
  venues: number,
  pace: Pace,
  call: (n: number) => Promise<void>,
): Promise<number> {
  await paced(pace, call)
  const times = await paced(pace, call)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0
  console.log(
    `${`${name}, ${venues} venues`.padEnd(56)}  ${CALLERS} callers  at ${pace.perSecond}/s  ` +
      `p50 ${at(0.5).toFixed(1)} ms  p95 ${at(0.95).toFixed(1)} ms  p99 ${at(0.99).toFixed(1)} ms`,
  )
  return at(0.95)
}
