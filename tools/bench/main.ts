import { cpus, totalmem } from 'node:os'
import type { OptionValues } from '../../packages/command-line/command.ts'
import { refuseUnknown } from '../../packages/command-line/read-options.ts'
import { defineTool, helpOption, runProgram } from '../../packages/command-line/run-program.ts'
import { benchAvailability } from './availability.ts'
import { benchBookings } from './bookings.ts'
import { benchDashboard } from './dashboard.ts'
import { benchSearch } from './search.ts'
import { type Amount, type Service, startService } from './service.ts'
import { watchStolen } from './stolen.ts'
import { benchWaiting } from './waiting.ts'
import { benchWebhooks } from './webhooks.ts'

const options = {
  venues: {
    kind: 'number',
    value: 'N',
    about: 'Venues of search, 1000000 unless given; 0 for none',
  },
  open: { kind: 'number', value: 'N', about: 'Open bookings of waiting, 10000 unless given' },
  short: {
    kind: 'flag',
    about: 'A hundredth of the calls: whether every bench still runs, no figures',
  },
} as const
type Given = OptionValues<typeof options>

const benches: Record<string, (service: Service, given: Given) => Promise<void>> = {
  bookings: benchBookings,
  waiting: (service, { open = 10_000 }) => benchWaiting(service, service.amount(open)),
  webhooks: benchWebhooks,
  availability: benchAvailability,
  dashboard: benchDashboard,
  search: (service, { venues = 1_000_000 }) => benchSearch(service, service.amount(venues)),
}

const bench = defineTool({
  words: '',
  summary:
    'Measure the service from outside, started as npm start does, each bench with data of its own.',
  details: 'Figures are worth reading as ratios within one run; the machine sets the rest.',
  args: { names: { about: 'Which benches; all of them unless given', many: true, optional: true } },
  options,
  examples: ['', 'bookings webhooks', 'search --venues 0'],
  async run({ args: { names }, options: given }) {
    const chosen = names?.split(' ') ?? Object.keys(benches)
    for (const name of chosen) refuseUnknown('NAMES', name, Object.keys(benches))
    const [cpu] = cpus()
    const gigabytes = Math.round(totalmem() / 2 ** 30)
    console.log(`${cpus().length} cores (${cpu?.model}), ${gigabytes} GiB, Node ${process.version}`)
    for (const name of chosen) await measure(name, given)
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
      'bookings: bookings and holds through REST beside an empty workflow and bare ' +
        'PostgreSQL writes, at 1 and 20 callers, also at a venue whose own system answers at ' +
        'once; the memory after 1,000 bookings.',
      'waiting: open bookings that wait for their slots, the memory they cost and what a new ' +
        'booking takes beside them.',
      'webhooks: deliveries to 100, 10 and 1 endpoints, a replay of 10,000 events, the time ' +
        'from commit to arrival beside an empty workflow and beside 100 dead or slow endpoints ' +
        'of 1,000.',
      'availability: one venue for one day, and 50 venues free for a party at a time, 20 ' +
        'callers at a pace, with the demo venues and with 10,000.',
      'dashboard: each page for an account with 50,000 deliveries, 5,000 bookings and ' +
        '200,000 calls, lists under filters that match little, and the public pages.',
      'search: every kind in every area and what people type, with key and quota, beside a ' +
        'Fastify route with `select 1`, as fast as 20 callers can and at a pace; then with N ' +
        'venues, and every query once by itself.',
    ],
  },
  {},
)

async function measure(name: string, given: Given): Promise<void> {
  const amount: Amount = (full) => (given.short ? Math.ceil(full / 100) : full)
  const service = await startService(amount)
  console.log(
    `${name}: warm start to /readyz ${(service.readyAfterMs / 1000).toFixed(1)} s, ` +
      `memory of the Node process at start ${service.memoryMb().toFixed(0)} MB`,
  )
  try {
    const stolenShare = watchStolen()
    await benches[name]?.(service, given)
    const stolen = stolenShare()
    if (stolen === null) return
    const percent = (stolen * 100).toFixed(1)
    console.log(
      `${name}: the host gave ${percent} % of the processors to others; above 2 %, measure again`,
    )
  } finally {
    await service.stop()
  }
}
