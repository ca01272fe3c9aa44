import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { makeKey } from '../../test/support/agent.ts'
import type { MadeEndpoint } from '../../test/support/endpoints.ts'
import { measure } from './load.ts'
import { paced } from './paced.ts'
import { post } from './post.ts'
import type { Service } from './service.ts'
import { addBenchVenue, bookingNumber } from './venue.ts'
import { fillEvents } from './webhook-events.ts'
import { type BenchReceiver, openBenchReceiver } from './webhook-receiver.ts'
import { allDelivered, type BenchSender, openBenchSender } from './webhook-sender.ts'

const WARM_BOOKINGS = 200
const BOOKINGS = 400
const CALLERS = 20
const TURNS = 3
const SECONDS = 10
const PER_SECOND = 1_000
const ENDPOINTS = 10
/** How many times per second events are written, to spread them evenly. */
const TICKS = 5

const BUSY_ENDPOINTS = 10_000
/** The number of accounts that own the busy endpoints. */
const BUSY_ACCOUNTS = 1_000
const BUSY_BOOKINGS = { callers: 4, perSecond: 5, seconds: 30 }

/**
 * Bookings and deliveries at the same time: 1,000 deliveries a second alongside bookings at half
 * their maximum rate, then a few bookings while 10,000 endpoints have deliveries.
 */
export async function benchBeside(service: Service): Promise<void> {
  const book = await openBooker(service)
  await measure(4, service.amount(WARM_BOOKINGS), book)
  const receiver = await openBenchReceiver()
  const sender = await openBenchSender(service)
  try {
    await halfAndHalf(service, book, sender, receiver)
    await besideBusyEndpoints(service, book, sender, receiver)
  } finally {
    await sender.close()
    await receiver.close()
  }
}

async function openBooker({ db, url }: Service) {
  const { key } = await makeKey(db, 'pro')
  const venue = await addBenchVenue(db)
  let booked = 0
  return () => {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }
    return post(`${url}/api/bookings`, headers, bookingNumber(venue.id, booked++), 201)
  }
}

async function halfAndHalf(
  service: Service,
  book: () => Promise<void>,
  sender: BenchSender,
  receiver: BenchReceiver,
) {
  const { amount } = service
  const full = await measure(CALLERS, amount(BOOKINGS), book)
  const pace = { callers: CALLERS, perSecond: full.perSecond / 2, seconds: amount(SECONDS) }
  const urls = Array.from({ length: ENDPOINTS }, (_, nth) => receiver.url(`/beside/${nth}`))
  const endpoints = await Promise.all(urls.map((url) => sender.create(url)))
  const bookings = () => rateOf(() => paced(pace, book).then(({ length }) => length))
  const deliveries = async () => {
    const before = receiver.count()
    const rate = await rateOf(async () => {
      await feed(service, sender, endpoints)
      return receiver.count() - before
    })
    await allDelivered(service, endpoints)
    return rate
  }
  await deliveries()
  const alone = { bookings: [] as number[], deliveries: [] as number[] }
  const beside = { bookings: [] as number[], deliveries: [] as number[] }
  for (let turn = 0; turn < TURNS; turn += 1) {
    alone.bookings.push(await bookings())
    alone.deliveries.push(await deliveries())
    const [booked, delivered] = await Promise.all([bookings(), deliveries()])
    beside.bookings.push(booked)
    beside.deliveries.push(delivered)
  }
  console.log(`  bookings alone, as fast as possible: ${full.perSecond.toFixed(0)}/s`)
  for (const what of ['bookings', 'deliveries'] as const) {
    const [before, after] = [mean(alone[what]), mean(beside[what])]
    console.log(
      `  ${what}: ${before.toFixed(0)}/s alone, ${after.toFixed(0)}/s beside the other ` +
        `(${(after / before).toFixed(2)} x)`,
    )
  }
}

/** Writes events at this pace for as long as bookings are made. */
async function feed(
  { db, amount }: Service,
  { notify }: BenchSender,
  endpoints: readonly MadeEndpoint[],
) {
  const started = performance.now()
  const ticks = amount(SECONDS) * TICKS
  for (let tick = 1; tick <= ticks; tick += 1) {
    for (const endpoint of endpoints) {
      await fillEvents(db, endpoint.accountId, PER_SECOND / TICKS / endpoints.length)
    }
    await Promise.all(endpoints.map(notify))
    await setTimeout(Math.max(0, started + (tick * 1000) / TICKS - performance.now()))
  }
}

async function besideBusyEndpoints(
  service: Service,
  book: () => Promise<void>,
  { create, notify }: BenchSender,
  receiver: BenchReceiver,
) {
  const { db, amount } = service
  const pace = { ...BUSY_BOOKINGS, seconds: amount(BUSY_BOOKINGS.seconds) }
  const endpoints: MadeEndpoint[] = []
  const accounts = amount(BUSY_ACCOUNTS)
  const each = BUSY_ENDPOINTS / BUSY_ACCOUNTS
  for (let nth = 0; nth < accounts; nth += 1) {
    const { accountId } = await makeKey(db, 'pro')
    // In sequence, because each endpoint takes a free number in its account.
    for (let one = 0; one < each; one += 1) {
      endpoints.push(await create(receiver.url(`/busy/${nth}/${one}`), accountId))
    }
  }
  const alone = await paced(pace, book)
  for (const accountId of new Set(endpoints.map((one) => one.accountId))) {
    await fillEvents(db, accountId, 1)
  }
  const before = receiver.count()
  const notifying = inTurn(endpoints, notify)
  const startedAt = performance.now()
  const beside = await paced(pace, book)
  const seconds = (performance.now() - startedAt) / 1000
  const arrived = receiver.count() - before
  const missing = endpoints.length - arrived
  await notifying
  const format = (times: number[]) =>
    `p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms`
  const ratio = (share: number) => (quantile(beside, share) / quantile(alone, share)).toFixed(2)
  console.log(
    `  ${pace.perSecond} bookings/s: ${format(alone)} alone; ${format(beside)} while ` +
      `${endpoints.length} endpoints are busy (${ratio(0.5)} x, ${ratio(0.95)} x), ` +
      `${(arrived / seconds).toFixed(0)} of them sent to per second, ${Math.max(0, missing)} left`,
  )
  await allDelivered(service, endpoints)
}

/** Notifies many endpoints, a hundred at a time. */
async function inTurn<T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < all.length; at += 100) await Promise.all(all.slice(at, at + 100).map(act))
}

async function rateOf(run: () => Promise<number>): Promise<number> {
  const startedAt = performance.now()
  const count = await run()
  return (count * 1000) / (performance.now() - startedAt)
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? 0
