import type { FoundVenues, Venue } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { depositsOf } from '../screen/deposit.ts'
import { moreOf } from '../screen/more.ts'
import { printable } from '../screen/printable.ts'
import type { Screen } from '../screen/screen.ts'
import { shellWord } from '../screen/shell-word.ts'
import { table } from '../screen/table.ts'
import { localSlot, timeOf } from '../screen/times.ts'

/** Maximum times shown per venue in a list. */
const MAX_TIMES = 4

const ONE_PRICE = 'IDR 4,000,000++…'.length
const ONE_TIME = 'Tue 2026-11-24 19:00…'.length

export const search = defineCommand({
  words: 'search',
  summary: 'Find venues and their next free times.',
  details:
    'Plain words, English or Indonesian: a kind of venue, an area, a landmark, a name, or a ' +
    'whole sentence. Times are local to the venue.',
  args: { words: { about: 'What to find and where', many: true } },
  options: {
    party: { kind: 'number', value: 'N', about: 'Only venues free for this many guests' },
    date: { kind: 'text', value: 'YYYY-MM-DD', about: 'Only venues free on this day' },
    time: { kind: 'text', value: 'HH:MM', about: 'Only venues free around this time' },
    limit: { kind: 'number', value: 'N', about: 'Venues per page, at most' },
    cursor: {
      kind: 'text',
      value: 'CURSOR',
      about: 'Cursor of the next page, from the page before',
    },
  },
  examples: [
    'search sushi in Canggu',
    'search "a table in Seminyak for 4 tomorrow at 7"',
    'search pijat di Ubud --party 2 --date 2026-12-24 --json',
  ],
  async run({ args, options, network }) {
    const { party, ...others } = options
    const query = { q: args.words, party_size: party, detail: 'full', limit: 10, ...others }
    const { body } = await (await network()).ask<FoundVenues>({
      path: '/api/venues/search',
      query,
    })
    return { answer: body, text: (screen) => show(screen, body) }
  },
})

function show(screen: Screen, { venues, interpretation, next_cursor }: FoundVenues): string {
  const { widened, assumed, hint, corrections } = interpretation
  const notes = [
    ...corrections.map(({ from, to }) => `"${from}" was read as "${to}".`),
    ...[assumed, widened, hint].filter((text) => text !== null),
  ].map((note) => screen.paint(printable(note), 'faint'))
  const [first] = venues.filter(({ availability }) => availability.slots.length > 0)
  return [
    ...notes,
    ...(venues.length > 0 ? [listOf(screen, venues)] : ['No venues found.']),
    ...venues.flatMap(({ slug, availability }) =>
      depositsOf(availability.slots).map((text) => `${printable(slug)}: ${text}`),
    ),
    ...(first
      ? ['', `Book: ${screen.program} book ${bookable(first, interpretation.party_size)}`]
      : []),
    ...moreOf(screen, next_cursor),
  ].join('\n')
}

const listOf = (screen: Screen, venues: readonly Venue[]) =>
  table(
    screen,
    [
      { head: 'VENUE', cell: ({ slug }) => slug, whole: true },
      { head: 'NAME', cell: ({ name }) => name, tone: () => 'strong', dispensable: 1 },
      { head: 'KIND', cell: ({ category }) => category, dispensable: 4 },
      { head: 'AREA', cell: ({ area }) => area, dispensable: 2 },
      { head: 'SERVICE', cell: (venue) => requestedOf(venue)?.service ?? '' },
      {
        head: 'PRICE',
        cell: (venue) => requestedOf(venue)?.price ?? '$'.repeat(venue.price_level),
        ...(venues.some(requestedOf) ? { least: ONE_PRICE } : { dispensable: 5 }),
      },
      { head: 'NEXT FREE', cell: timesOf, tone: () => 'good', least: ONE_TIME },
    ],
    venues,
  )

/** The first free slot, where the query asked for a service. */
const requestedOf = ({ availability: { book_with, slots } }: Venue) => book_with && slots[0]

/** The next free times; the day is shown where it changes. */
function timesOf({ availability: { slots } }: Venue): string {
  let day = ''
  const times = slots.slice(0, MAX_TIMES).map(({ slot_time }) => {
    const isSameDay = slot_time.slice(0, 10) === day
    day = slot_time.slice(0, 10)
    return isSameDay ? timeOf(slot_time) : localSlot(slot_time)
  })
  return times.join(' ') || 'none'
}

/** The command that books a venue's first free time for the requested party, or for two. */
function bookable(venue: Venue, partySize: number | null): string {
  const { slots, book_with: { minutes, with: leader } = {} } = venue.availability
  const [slot] = slots
  if (!slot) return shellWord(venue.slug)
  const party = Math.max(slot.party_min, Math.min(partySize ?? 2, slot.party_max))
  const wish = { party, service: requestedOf(venue)?.service, minutes, with: leader }
  const options = Object.entries(wish).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellWord(String(value))],
  )
  return [shellWord(venue.slug), shellWord(slot.slot_time.slice(0, 16)), ...options].join(' ')
}
