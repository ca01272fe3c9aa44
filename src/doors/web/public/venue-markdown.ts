import { callsToBook } from './how-to-book.ts'
import { plain } from './markdown.ts'
import { chosenSlot, type ShownVenue, terms } from './shown-venue.ts'
import {
  categoryWords,
  countryName,
  dateWords,
  hoursWords,
  priceMark,
  slotWords,
  weekWords,
} from './venue-text.ts'

/** The page of a venue in Markdown: the same facts, times and calls. */
export function venueMarkdown(shown: ShownVenue): string {
  const { venue, week, exceptions, days, problem, partySize, neighbours } = shown
  const place = [venue.area, venue.city, countryName(venue.country)].map(plain).join(', ')
  const sections = [
    `# ${plain(venue.name)}`,
    `${categoryWords[venue.category]} in ${place}. Price level ${venue.price_level} of 4 (${priceMark(venue.price_level).replaceAll('$', '\\$')}).`,
    ...(venue.is_demo ? ['Demo venue. Bookings work, but no one is expecting you.'] : []),
    plain(venue.description),
    ...(venue.tags.length > 0 ? [`Tags: ${venue.tags.map(plain).join(', ')}.`] : []),
    `## Times for ${partySize}`,
    ...(problem ? [plain(problem)] : []),
    ...days.map(({ date, reason, slots }) =>
      [
        `### ${dateWords(date)} (${date})`,
        '',
        ...(reason ? [plain(reason), ''] : []),
        ...slots.map((slot) => `- ${slot.slot_time}: ${slotWords(slot)}`),
      ].join('\n'),
    ),
    '## Book with an agent',
    ...calls(shown),
    '## Terms',
    list(terms(shown).map(([term, what]) => `${term}: ${plain(what)}`)),
    '## Opening hours',
    `Times are local: ${venue.timezone}.`,
    list(weekWords(week).map(({ days: span, hours }) => `${span}: ${hours}`)),
    ...(exceptions.length > 0
      ? [
          list(
            exceptions.map(
              ({ date, hours, reason }) => `${date}: ${hoursWords(hours)}. ${plain(reason)}`,
            ),
          ),
        ]
      : []),
    '## Location',
    `${venue.latitude.toFixed(4)}, ${venue.longitude.toFixed(4)}`,
    ...(neighbours.length > 0
      ? [list(neighbours.map(({ slug, name }) => `[${plain(name)}](/venues/${slug}.md)`))]
      : []),
  ]
  return `${sections.join('\n\n')}\n`
}

const list = (lines: readonly string[]) => lines.map((one) => `- ${one}`).join('\n')

function calls(shown: ShownVenue): string[] {
  const slot = chosenSlot(shown)
  if (!slot) return ['Choose a day with free times to see the request.']
  const { publicUrl, venue, partySize } = shown
  return callsToBook(publicUrl, venue.id, slot, partySize).map(
    ({ label, code }) => `${label}:\n\n\`\`\`\n${code}\n\`\`\``,
  )
}
