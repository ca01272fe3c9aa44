import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { benchAvailability } from './availability.ts'
import { benchBookings } from './bookings.ts'
import { benchDashboard } from './dashboard.ts'
import { benchSearch } from './search.ts'
import { type Amount, type Service, startService } from './service.ts'
import { watchStolen } from './stolen.ts'
import { benchWaiting } from './waiting.ts'
import { benchWebhooks } from './webhooks.ts'

const benches = {
  bookings: benchBookings,
  waiting: (service: Service) => benchWaiting(service, service.amount(Number(values.open))),
  webhooks: benchWebhooks,
  availability: benchAvailability,
  dashboard: benchDashboard,
  search: (service: Service) => benchSearch(service, service.amount(Number(values.venues))),
}
type Name = keyof typeof benches

const help = `usage: npm run bench [-- NAME …] [--venues N] [--open N] [--short]

Starts the service as \`npm start\` does, in a data folder of its own for each bench, and measures it
from outside. --short makes a hundredth of the calls: whether every bench still runs, no figures.
Figures are worth reading as ratios within one run; the machine sets the rest.

  bookings   bookings and holds through REST beside an empty workflow and beside bare PostgreSQL writes, at
             1 and 20 callers, also at a venue whose own system is asked and answers at once, and
             the memory of the process after 1,000 bookings
  waiting    N open bookings (10,000; they take some minutes to make) that wait for their slots: the
             memory that they cost and what a new booking takes beside them
  webhooks   deliveries to 100, 10 and 1 endpoints, a replay of 10,000 events, the time from commit to arrival
             beside an empty workflow, and beside 100 dead or slow endpoints of 1,000
  availability
             one venue for one day, and 50 venues free for a party at a time in one search, 20 callers at
             a pace, with the demo venues and with 10,000
  dashboard  each page of the dashboard for an account with 50,000 deliveries, 5,000 bookings and 200,000
             calls, lists under filters that match little, and the public pages
  search     searches for every kind in every area and for what people type, with key and quota,
             beside a Fastify route with \`select 1\`, 20 callers, as fast as they can and at a pace; then
             with N venues (1,000,000; they take minutes to make, 0 leaves them out), and every query
             once by itself

Without a name, all of them.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h' },
    venues: { type: 'string', default: '1000000' },
    open: { type: 'string', default: '10000' },
    short: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !(name in benches))
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`no such bench: ${unknown.join(', ')}\n`)
  console.log(help)
  process.exit(unknown.length > 0 ? 1 : 0)
}

const names = (positionals.length > 0 ? positionals : Object.keys(benches)) as Name[]
const [cpu] = cpus()
const gigabytes = Math.round(totalmem() / 2 ** 30)
console.log(`${cpus().length} cores (${cpu?.model}), ${gigabytes} GiB, Node ${process.version}`)
const amount: Amount = (full) => (values.short ? Math.ceil(full / 100) : full)
for (const name of names) {
  const service = await startService(amount)
  console.log(
    `${name}: warm start to /readyz ${(service.readyAfterMs / 1000).toFixed(1)} s, ` +
      `memory of the Node process at start ${service.memoryMb().toFixed(0)} MB`,
  )
  try {
    const stolenShare = watchStolen()
    await benches[name](service)
    const stolen = stolenShare()
    if (stolen !== null)
      console.log(
        `${name}: the host gave ${(stolen * 100).toFixed(1)} % of the processors to others; above 2 %, measure again`,
      )
  } finally {
    await service.stop()
  }
}
