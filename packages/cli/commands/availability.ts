import { pad, widthOf, wrap } from '../../../src/platform/command-line/width.ts'
import type { VenueDays } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { depositsOf } from '../screen/deposit.ts'
import { printable } from '../screen/printable.ts'
import type { Screen } from '../screen/screen.ts'
import { localDay, timeOf } from '../screen/times.ts'
import { wishing } from './booking-options.ts'

const DAY_COLUMNS = 16

export const availability = defineCommand({
  words: 'availability',
  summary: 'Show a venue’s times on one or more days.',
  details: 'Times are local to the venue. A number after a time is the number of places left.',
  args: { venue: { about: 'Slug or id of the venue, from search' } },
  options: {
    date: { kind: 'text', value: 'YYYY-MM-DD', about: 'First day; today by default' },
    days: { kind: 'number', value: 'N', about: 'Number of days, at most 14' },
    party: { kind: 'number', value: 'N', about: 'Number of guests; 2 by default' },
    ...wishing,
  },
  examples: [
    'availability angin-laut-sushi-canggu',
    'availability angin-laut-sushi-canggu --date 2026-12-24 --days 3 --party 4',
    'availability lumbung-spa-seminyak --service "hot stone" --minutes 90',
  ],
  async run({ args, options, network }) {
    const { party, ...others } = options
    const { body } = await (await network()).ask<VenueDays>({
      path: `/api/venues/${encodeURIComponent(args.venue)}/availability`,
      query: { party_size: party, detail: 'full', ...others },
    })
    return { answer: body, text: (screen) => show(screen, body) }
  },
})

function show(screen: Screen, { venue, timezone, party_size, services, days }: VenueDays): string {
  const { paint, width } = screen
  const head = `${printable(venue.name)}, for ${party_size} (${printable(timezone)})`
  const choice = services.length > 1 ? [...services.map(serviceLine), ''] : []
  const times = days.flatMap((day) => dayLines(day, width, screen))
  const deposits = depositsOf(days.flatMap(({ slots }) => slots.filter(isFree)))
  return [paint(head, 'strong'), ...choice, ...times, ...deposits].join('\n')
}

/** `Hot stone massage, 90 min, IDR 400,000 per booking, with Ayu` */
function serviceLine({ name, minutes, prices = [], with: people }: VenueDays['services'][number]) {
  const lengths = minutes.map((length, index) => {
    const own = prices.length > 1 ? prices[index] : undefined
    return own ? `${length} min ${own.text}` : `${length} min`
  })
  const price = prices.length === 1 ? prices.map(({ text }) => text) : []
  const parts = [name, lengths.join(' or '), ...price]
  return printable([...parts, ...(people ? [`with ${people.join(', ')}`] : [])].join(', '))
}

const isFree = ({ status }: VenueDays['days'][number]['slots'][number]) =>
  status === 'available' || status === 'limited'

function dayLines(day: VenueDays['days'][number], width: number, { paint }: Screen): string[] {
  const free = day.slots.filter(isFree)
  const times = free.map(({ slot_time, status, places_left }) => {
    const few = status === 'limited' && places_left !== null ? `(${places_left})` : ''
    return timeOf(slot_time) + few
  })
  const why = day.reason === null ? '' : `: ${printable(day.reason)}`
  const none = day.status === 'closed' ? `closed${why}` : `nothing free${why}`
  const columns = Math.max(widthOf('00:00(00)'), width - DAY_COLUMNS)
  const lines = wrap(free.length > 0 ? times.join(' ') : none, columns)
  const tone = free.length > 0 ? 'good' : 'faint'
  return lines.map(
    (line, index) => pad(index === 0 ? localDay(day.date) : '', DAY_COLUMNS) + paint(line, tone),
  )
}
