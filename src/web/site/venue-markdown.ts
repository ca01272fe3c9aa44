import { placeLines } from '../../base/venue-place.ts'
import type { ShownService } from '../../contract/services.ts'
import { OWN_WORDS, plain } from './markdown.ts'
import * as shownVenue from './shown-venue.ts'
import * as text from './venue-text.ts'

/** A venue's page in Markdown. */
export function venueMarkdown(view: shownVenue.ShownVenue): string {
  const { venue, services, service, exceptions, days, problem } = view
  const [sessions, hours] = [text.sessionRows(view), text.openRows(view)]
  const { partySize, neighbours } = view
  const place = [...text.areaWords(venue), text.countryName(venue.country)].map(plain).join(', ')
  const level = `Price level ${venue.price_level} of 4 (${text.priceMarkdown(venue.price_level)})`
  const slot = shownVenue.exampleSlot(view)
  const calls = slot && shownVenue.bookingCalls(view, slot)
  const sections = [
    `# ${plain(venue.name)}`,
    `${text.categoryWords[venue.category]} in ${place}. ${level}.`,
    OWN_WORDS,
    venue.is_demo && shownVenue.DEMO_NOTICE,
    plain(venue.description),
    venue.tags.length > 0 && `Tags: ${venue.tags.map(plain).join(', ')}.`,
    shownVenue.hasMenu(view) && '## Services',
    shownVenue.hasMenu(view) && list(services, serviceLine),
    shownVenue.taxNote(view),
    `## Times for ${partySize}${service && `, ${plain(service)}`}`,
    problem && plain(problem),
    ...days.map(({ date, reason, slots }) =>
      [
        `### ${text.dateWords(date)} (${date})`,
        '',
        ...(reason ? [plain(reason), ''] : []),
        ...slots.map((slot) => `- ${slot.slot_time}: ${text.slotWords(slot)}`),
      ].join('\n'),
    ),
    '## Book with an agent',
    ...(calls?.map(({ label, code }) => `${label}:\n\n\`\`\`\n${code}\n\`\`\``) ?? [
      shownVenue.NO_SLOT,
    ]),
    '## Terms',
    list(
      [...shownVenue.terms(view), ...shownVenue.developerTerms(view)],
      ([term, what]) => `${term}: ${plain(what)}`,
    ),
    sessions.length > 0 && '## Sessions this week',
    list(sessions, ([when, ...what]) => `${when}: ${plain(what.filter(Boolean).join(', '))}`),
    hours.length > 0 && '## Opening hours',
    `Times are local: ${venue.timezone}.`,
    list(hours, ({ days, hours }) => `${days}: ${hours}`),
    list(
      exceptions,
      ({ date, hours, reason }) => `${date}: ${text.hoursWords(hours)}. ${plain(reason)}`,
    ),
    '## Good to know',
    list(shownVenue.knownFacts(venue), ([what, text]) => `${what}: ${plain(text)}`),
    '## Location',
    placeLines(venue).map(plain).join(', '),
    [venue.phone, venue.website, venue.menu_url]
      .flatMap((one) => one ?? [])
      .map(plain)
      .join('\n'),
    `${venue.latitude.toFixed(4)}, ${venue.longitude.toFixed(4)}`,
    list(neighbours, ({ slug, name }) => `[${plain(name)}](/venues/${slug}.md)`),
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

function serviceLine(one: ShownService): string {
  const { name, description, with: names, party_min, party_max } = one
  const more = [
    ...shownVenue.lengthsAndPrices(one),
    shownVenue.guestsWords(party_min, party_max),
    ...(names ? [`with ${names.join(', ')}`] : []),
    ...(description ? [description] : []),
  ]
  return `${plain(name)}: ${plain(more.join('; '))}`
}

const list = <T>(items: readonly T[], lineOf: (item: T) => string) =>
  items.map((item) => `- ${lineOf(item)}`).join('\n')
