import { setTimeout } from 'node:timers/promises'
import { choosePort } from '../../src/local/ports.ts'
import { type MadeEndpoint, putEvent } from '../../test/support/endpoints.ts'
import { makeReplay } from '../../test/support/replays.ts'
import { emptyWorkflows } from './empty-workflows.ts'
import type { Service } from './service.ts'
import { fillEvents } from './webhook-events.ts'
import { type BenchReceiver, openBenchReceiver } from './webhook-receiver.ts'
import { allDelivered, type BenchSender, openBenchSender } from './webhook-sender.ts'

const EVENTS = 10_000
const CALLS = 100
const ENDPOINTS = 1_000
/**
 * A third of the machine's capacity, so that the figures show the cost of other endpoints, not
 * queueing.
 */
const PER_SECOND = 5
const SECONDS = 30
const SETTLED_MS = 100_000

/**
 * Deliveries to a local subscriber: throughput, replay, latency, and latency alongside dead or slow
 * endpoints.
 */
export async function benchWebhooks(service: Service): Promise<void> {
  const { db, amount } = service
  const events = amount(EVENTS)
  const receiver = await openBenchReceiver()
  const sender = await openBenchSender(service)
  const { create, notify } = sender
  const fillAndSend = async (endpoints: number) => {
    const created = await Promise.all(
      Array.from({ length: endpoints }, (_, nth) =>
        create(receiver.url(`/many/${endpoints}/${nth}`)),
      ),
    )
    for (const { accountId } of created)
      await fillEvents(db, accountId, Math.ceil(events / endpoints))
    const before = receiver.count()
    const startedAt = performance.now()
    await Promise.all(created.map(notify))
    while (receiver.count() < before + events) await setTimeout(20)
    await allDelivered(service, created)
    const seconds = (performance.now() - startedAt) / 1000
    console.log(
      `  ${events} deliveries to ${endpoints} endpoints: ${(events / seconds).toFixed(0)}/s`,
    )
    return created
  }

  await fillAndSend(100)
  await fillAndSend(10)
  const [one] = await fillAndSend(1)
  if (one) await replay(service, sender, receiver, one)
  await latencies(service, sender, receiver)
  await besideFailingEndpoints(service, sender, receiver)
  await sender.close()
  await receiver.close()
}

async function replay(
  { db, amount }: Service,
  { engine }: BenchSender,
  receiver: BenchReceiver,
  endpoint: MadeEndpoint,
) {
  const events = amount(EVENTS)
  const before = receiver.count()
  const signal = await makeReplay(db, endpoint, { last: events, perSecond: 1_000 })
  const startedAt = performance.now()
  await engine.signalEndpoint(endpoint, signal)
  while (receiver.count() < before + events) await setTimeout(50)
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`  ${events} events replayed at 1,000/s: ${seconds.toFixed(1)} s`)
}

/** Time from the commit of an event to its arrival, alternating with an empty workflow. */
async function latencies(service: Service, { create }: BenchSender, receiver: BenchReceiver) {
  const empty = await emptyWorkflows(service)
  const endpoint = await create(receiver.url('/alone'))
  const times = { empty: [] as number[], arrival: [] as number[] }
  for (let call = 0; call < service.amount(CALLS); call += 1) {
    const startedAt = performance.now()
    await empty.run()
    times.empty.push(performance.now() - startedAt)
    times.arrival.push(await arrivalOf(service, receiver, endpoint, '/alone'))
    await setTimeout(150)
  }
  await empty.stop()
  const [workflow, arrival] = [quantile(times.empty, 0.5), quantile(times.arrival, 0.5)]
  console.log(
    `  empty workflow p50 ${workflow.toFixed(1)} ms, commit to arrival p50 ` +
      `${arrival.toFixed(1)} ms, ` +
      `p95 ${quantile(times.arrival, 0.95).toFixed(1)} ms: ${(arrival / workflow).toFixed(2)} x`,
  )
}

async function arrivalOf(
  { db }: Service,
  receiver: BenchReceiver,
  { accountId }: MadeEndpoint,
  path: string,
): Promise<number> {
  const arrival = receiver.arrival(path)
  await putEvent(db, accountId)
  const committed = performance.now()
  return (await arrival) - committed
}

/** Latency of healthy endpoints, alone and while one in ten is dead or slow with a backlog. */
async function besideFailingEndpoints(
  service: Service,
  { create, notify }: BenchSender,
  receiver: BenchReceiver,
) {
  const dead = `http://127.0.0.1:${await choosePort()}`
  const healthy: { endpoint: MadeEndpoint; path: string }[] = []
  const failing: MadeEndpoint[] = []
  for (let nth = 0; nth < service.amount(ENDPOINTS); nth += 1) {
    const path = `/healthy/${nth}`
    if (nth % 20 === 0) failing.push(await create(`${dead}/${nth}`))
    else if (nth % 20 === 10) failing.push(await create(receiver.url(`/slow/${nth}`)))
    else healthy.push({ endpoint: await create(receiver.url(path)), path })
  }
  const arrivals = async () => {
    const times: Promise<number>[] = []
    for (let nth = 0; nth < PER_SECOND * service.amount(SECONDS); nth += 1) {
      const one = healthy[(nth * 7) % healthy.length]
      if (one) times.push(arrivalOf(service, receiver, one.endpoint, one.path))
      await setTimeout(1000 / PER_SECOND)
    }
    return Promise.all(times)
  }
  const measure = async (when: string) => {
    const times = await arrivals()
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
    const ratio = healthyMs === undefined ? '' : ` (${(p50 / healthyMs).toFixed(2)} x)`
    healthyMs ??= p50
    console.log(
      `  ${healthy.length} endpoints ${when}: commit to arrival p50 ${p50.toFixed(1)} ms, p95 ` +
        `${p95.toFixed(1)} ms${ratio}`,
    )
  }
  let healthyMs: number | undefined
  await arrivals()
  await measure('while all are healthy')
  for (const { accountId } of failing) await fillEvents(service.db, accountId, service.amount(100))
  await Promise.all(failing.map(notify))
  await measure(`alongside ${failing.length} that just died or became slow`)
  await setTimeout(service.amount(SETTLED_MS))
  await measure(`alongside ${failing.length} dead or slow for two minutes`)
}

const quantile = (times: readonly number[], share: number) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0
