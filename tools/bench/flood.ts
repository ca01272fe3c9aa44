import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { newRawKey } from '../../src/accounts/store/key-secret.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { makeKey } from '../../test/support/agent.ts'
import { startApiProcess } from './api-process.ts'
import type { Flood, Flooded } from './flood-process.ts'
import { paced } from './paced.ts'
import { post } from './post.ts'
import { searchQueries } from './search-queries.ts'
import type { Service } from './service.ts'
import { addBenchVenue, bookingNumber } from './venue.ts'

const SECONDS = 10
const TURNS = 3
/** Ten times an account's limit. */
const FLOOD = { callers: 64, perSecond: 500 }
const SEARCHES = { callers: 8, perSecond: 40 }
const BOOKINGS = { callers: 4, perSecond: 6 }
/** Other accounts, none of which sends much. */
const OTHERS = 40
const QUERIES_PER_TURN = 2_000
const WORDS_PER_QUERY = 12

/**
 * The effect on other accounts of a flood of uncached searches, from one account, from one address
 * without a key, and with invented keys: their p95 during the flood, divided by that without it.
 */
export async function benchFlood(service: Service): Promise<void> {
  const { db, amount } = service
  const api = await startApiProcess(service)
  const seconds = amount(SECONDS)
  const others = await openOthers(db, api.url)
  await others.run(seconds)
  const paths = await costlySearches(db)
  const { key } = await makeKey(db, 'pro')
  const bearer = (raw: string) => ({ authorization: `Bearer ${raw}` })
  const floods = {
    'one account': paths.map((path) => ({ path: `/api/venues/search?q=${path}`, ...bearer(key) })),
    'one address, no key': paths.map((path) => ({ path: `/venues?q=${path}` })),
    'invented keys': paths.map((path) => ({
      path: `/api/venues/search?q=${path}`,
      ...bearer(newRawKey()),
    })),
  }
  const flooder = startFlooder()
  for (const [name, requests] of Object.entries(floods)) {
    const alone: Times[] = []
    const beside: Times[] = []
    const flooded: Flooded[] = []
    const flood = (turn: number) =>
      flooder.flood({ url: api.url, requests: ofTurn(requests, turn), ...FLOOD, seconds })
    // Warm-up, so that V8 has compiled the flood's code paths.
    await flood(0)
    for (let turn = 1; turn <= TURNS; turn += 1) {
      alone.push(await others.run(seconds))
      const end = flood(turn)
      beside.push(await others.run(seconds))
      flooded.push(await end)
    }
    report(name, alone, beside, flooded)
  }
  flooder.stop()
  await api.stop()
}

const ofTurn = <T>(requests: readonly T[], turn: number) =>
  requests.slice(turn * QUERIES_PER_TURN, (turn + 1) * QUERIES_PER_TURN)

type Times = { search: number[]; booking: number[] }

/** Accounts that make popular searches, and book, at their own pace. */
async function openOthers(db: Pool, url: string) {
  const venue = await addBenchVenue(db)
  const keys = await Promise.all(Array.from({ length: OTHERS }, () => makeKey(db, 'pro')))
  const headersOf = (n: number) => ({ authorization: `Bearer ${keys[n % OTHERS]?.key}` })
  const search = async (n: number) => {
    const query = encodeURIComponent(searchQueries[n % searchQueries.length] ?? '')
    const response = await fetch(`${url}/api/venues/search?q=${query}`, { headers: headersOf(n) })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`a search of another account: ${response.status}`)
  }
  let booked = 0
  const book = () => {
    const number = booked++
    return post(`${url}/api/bookings`, headersOf(number), bookingNumber(venue.id, number), 201)
  }
  return {
    async run(seconds: number): Promise<Times> {
      const runs = [paced({ ...SEARCHES, seconds }, search), paced({ ...BOOKINGS, seconds }, book)]
      const [searches = [], bookings = []] = await Promise.all(runs)
      return { search: searches, booking: bookings }
    },
  }
}

/** Many words that occur somewhere, never the same twice, so that no results are cached. */
async function costlySearches(db: Pool): Promise<string[]> {
  const { rows } = await db.query(
    `select word from venue_word where word ~ '^[a-z]{4,10}$' order by md5(word) limit 997`,
  )
  const wordAt = (n: number): string => rows[n % rows.length]?.word ?? ''
  return Array.from({ length: (TURNS + 1) * QUERIES_PER_TURN }, (_, n) =>
    Array.from({ length: WORDS_PER_QUERY }, (__, place) =>
      wordAt(n * 7 + place * place * (31 + Math.floor(n / rows.length))),
    ).join('+'),
  )
}

/** A process that is ready before it floods, so that its start is not measured. */
function startFlooder() {
  const child = fork(fileURLToPath(new URL('./flood-process.ts', import.meta.url)))
  return {
    async flood(flood: Flood): Promise<Flooded> {
      child.send(flood)
      const [statuses] = await once(child, 'message')
      return statuses as Flooded
    },
    stop: () => child.disconnect(),
  }
}

function report(name: string, alone: Times[], beside: Times[], flooded: Flooded[]): void {
  const statuses: Flooded = {}
  for (const [status, count] of flooded.flatMap((one) => Object.entries(one))) {
    statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count
  }
  const answers = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`)
  console.log(`flood from ${name}: ${answers.join(', ')}`)
  for (const what of ['search', 'booking'] as const) {
    const p95 = (runs: readonly Times[]) => {
      const times = runs.flatMap((run) => run[what]).sort((one, other) => one - other)
      return times[Math.floor((times.length - 1) * 0.95)] ?? 0
    }
    const [before, during] = [p95(alone), p95(beside)]
    console.log(
      `  ${what} of others: p95 alone ${before.toFixed(1)} ms, ` +
        `alongside ${during.toFixed(1)} ms, ` +
        `${(during / before).toFixed(2)} x`,
    )
  }
}
