import { cpus, totalmem } from 'node:os'
import type { OptionValues } from '../../src/platform/command-line/command.ts'
import { refuseUnknown } from '../../src/platform/command-line/read-options.ts'
import { defineTool, helpOption, runProgram } from '../../src/platform/command-line/run-program.ts'
import { benchAgents } from './agents.ts'
import { benchAvailability } from './availability.ts'
import { benchBeside } from './beside.ts'
import { benchBookings } from './bookings.ts'
import { benchClocks } from './clocks.ts'
import { benchDashboard } from './dashboard.ts'
import { benchFlood } from './flood.ts'
import { benchIdle } from './idle.ts'
import { benchMemory } from './memory.ts'
import { startProduction } from './production.ts'
import { benchSearch } from './search.ts'
import { type Amount, type Service, startService } from './service.ts'
import { watchStolen } from './stolen.ts'
import { benchWaiting } from './waiting.ts'
import { benchWebhooks } from './webhooks.ts'

const options = {
  venues: {
    kind: 'number',
    value: 'N',
    about: 'Venues for search, 1000000 by default; 0 keeps the demo venues',
  },
  bookings: { kind: 'number', value: 'N', about: 'Bookings for memory, 1000 by default' },
  seconds: { kind: 'number', value: 'N', about: 'Seconds of idle, 300 by default' },
  open: { kind: 'number', value: 'N', about: 'Open bookings for waiting, 10000 by default' },
  short: {
    kind: 'flag',
    about: 'Run a hundredth of the calls, to see that every bench works; ignore the figures',
  },
} as const
type BenchOptions = OptionValues<typeof options>

const benches: Record<string, (service: Service, options: BenchOptions) => Promise<void>> = {
  bookings: benchBookings,
  memory: (service, { bookings = 1_000 }) => benchMemory(service, service.amount(bookings)),
  idle: (service, { seconds = 300 }) => benchIdle(service, service.amount(seconds)),
  waiting: (service, { open = 10_000 }) => benchWaiting(service, service.amount(open)),
  webhooks: benchWebhooks,
  beside: benchBeside,
  clocks: benchClocks,
  availability: benchAvailability,
  flood: benchFlood,
  dashboard: benchDashboard,
  agents: benchAgents,
  search: (service, { venues = 1_000_000 }) => benchSearch(service, service.amount(venues)),
}

const bench = defineTool({
  words: '',
  summary:
    'Measure the service from outside, started as by npm start; each bench has its own data.',
  details:
    'Compare ratios within one run; absolute figures depend on the machine. Bookings are ' +
    'measured first with an API and a worker as processes, as in production.',
  args: { names: { about: 'Benches to run; all by default', many: true, optional: true } },
  options,
  examples: ['', 'bookings webhooks', 'search --venues 0'],
  async run({ args: { names }, options: values }) {
    const selected = names?.split(' ') ?? Object.keys(benches)
    for (const name of selected) refuseUnknown('NAMES', name, Object.keys(benches))
    const [cpu] = cpus()
    const gigabytes = Math.round(totalmem() / 2 ** 30)
    console.log(`${cpus().length} cores (${cpu?.model}), ${gigabytes} GiB, Node ${process.version}`)
    for (const name of selected) await measure(name, values)
    return undefined
  },
})

await runProgram(
  {
    name: 'npm run bench --',
    about: bench.summary,
    commands: [bench],
    options: helpOption,
    notes: [
      'bookings: bookings and holds through REST, compared with an empty workflow and bare ' +
        'PostgreSQL writes, at 1 and 20 callers, also at a venue with a connector; memory ' +
        'after 1,000 bookings.',
      'memory: memory of the Node process, and of the others, during N bookings by 20 callers.',
      'idle: CPU time of all processes together, transactions, and growth of the data, of a ' +
        'service that nobody calls.',
      'waiting: memory of open bookings that wait for their slots, and the time of a new ' +
        'booking alongside them.',
      'webhooks: throughput to 100, 10 and 1 endpoints, a replay of 10,000 events, and the time ' +
        'from commit to arrival, compared with an empty workflow and alongside 100 dead or slow ' +
        'endpoints of 1,000.',
      'beside: bookings and deliveries at the same time, each divided by what it does alone, and ' +
        'bookings while 10,000 endpoints are busy.',
      'clocks: the life of a booking on a test clock, and the p95 of live bookings while 100 ' +
        'clocks are advanced in turns, divided by their p95 alone.',
      'availability: a day of one venue, and a search for 50 venues free for a party at a ' +
        'time, by 20 paced callers, with the demo venues and with 10,000.',
      'flood: the p95 of other accounts alongside 500 costly searches a second from one account, ' +
        'from one address without a key, and with invented keys, divided by their p95 alone.',
      'dashboard: each page of an account with 50,000 deliveries, 5,000 bookings and ' +
        '200,000 calls, lists with filters that match little, and the public pages.',
      'agents: 15 tasks of an agent that was told nothing, at each door: its calls, refusals and ' +
        'tokens, and the calls of one that knows everything; fails if a task does.',
      'search: every kind in every area and typical queries, with key and quota, compared with ' +
        'a Fastify route that runs `select 1`, by 20 callers at full speed and at a pace; then ' +
        'with N venues, and each query once alone.',
    ],
  },
  {},
)

/** Bookings run first with an API and a worker as processes; every other bench as `npm start`. */
async function measure(name: string, options: BenchOptions): Promise<void> {
  if (name === 'bookings') await measureOn(startProduction, `${name}, API and worker`, options)
  await measureOn(startService, `${name}, npm start`, options)
}

async function measureOn(
  start: (amount: Amount) => Promise<Service>,
  title: string,
  options: BenchOptions,
): Promise<void> {
  const [name = ''] = title.split(',')
  const service = await start((full) => (options.short ? Math.ceil(full / 100) : full))
  const { readyAfterMs } = service
  const ready =
    readyAfterMs === undefined
      ? ''
      : `warm start to /readyz ${(readyAfterMs / 1000).toFixed(1)} s, `
  console.log(`${title}: ${ready}memory at start ${service.memoryMb().toFixed(0)} MB`)
  try {
    const stolenShare = watchStolen()
    await benches[name]?.(service, options)
    const stolen = stolenShare()
    if (stolen === null) return
    const percent = (stolen * 100).toFixed(1)
    console.log(
      `${title}: ${percent} % of CPU time was stolen by the host; above 2 %, measure again`,
    )
  } finally {
    await service.stop()
  }
}
