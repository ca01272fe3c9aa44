import { readFileSync } from 'node:fs'
import { type Rendered, renderMarkdown } from '../site/markdown.ts'

const FOLDER = new URL('../../../docs/', import.meta.url)

/** A published document: `docs/<folder>/<name>.md`, served as `/docs/<name>`; `short` in lists. */
type DocumentEntry = { name: string; folder: string; short: string; summary: string }

/** The readers of documents. */
export type Audience = 'agents' | 'venues' | 'operators'
type Section = { title: string; audience: Audience; entries: readonly DocumentEntry[] }

/**
 * Every published document in reading order; `summary` is its line in an index. None contains a
 * command for the operator's machine: most readers cannot run it, and an agent should not try.
 */
export const sections: readonly Section[] = [
  section('Get started', [
    entry(
      'guides/getting-started',
      'Getting started',
      'From sign-up to a confirmed booking and its webhook',
    ),
    entry('guides/sandbox', 'Sandbox', 'Test keys, and venues whose answers you choose'),
    entry(
      'guides/concepts',
      'Concepts',
      'Venues, slots, holds, bookings, events and fees in one page',
    ),
  ]),
  section('Ways to connect', [
    entry('guides/rest', 'REST', 'Search and book with curl, TypeScript or Python'),
    entry('guides/mcp', 'MCP', 'Connect a model: configuration, tools, and use without a key'),
    entry('guides/a2a', 'A2A', 'Intents in an envelope, and the Agent Card'),
    entry(
      'protocols/doors',
      'Common rules',
      'What holds for all of them: retries, lenient input, limits, errors',
    ),
    entry('guides/cli', 'Command line', 'Searching, booking and webhooks from a terminal'),
  ]),
  section('Search and book', [
    entry('guides/search', 'Search', 'Finding venues from free text, party, date and time'),
    entry('guides/bookings', 'Bookings', 'Every state of a booking, what moves it, what it costs'),
    entry('guides/guests', 'Guests', 'What your user gets: a page of the booking, and mails'),
    entry(
      'guides/groups',
      'Choices and itineraries',
      'Several choices in order, or a whole itinerary',
    ),
    entry('guides/watch', 'Waitlist', 'The waitlist: waiting for a slot that is full'),
    entry(
      'guides/reminders-calendar-fees',
      'Reminders, calendar, fees',
      'Reminders, calendar entry and fees',
    ),
    entry('protocols/timeline', 'Timeline', 'What happened to a booking, signed and verifiable'),
    entry('guides/guarantees', 'Guarantees', 'What is promised, by which mechanism, and the proof'),
  ]),
  section('Webhooks', [
    entry('protocols/webhooks', 'Webhooks', 'From nothing to a verified event at your own address'),
    entry('protocols/webhook-events', 'Event types', 'Every type of event, with an example'),
    entry(
      'protocols/webhook-deliveries',
      'Deliveries and replay',
      'Reading, retrying and replaying events',
    ),
  ]),
  section('Your account', [
    entry(
      'guides/dashboard',
      'Dashboard',
      'Sign-up, the first call, and everything an account has',
    ),
    entry(
      'guides/keys-and-plan',
      'Keys, plan, usage',
      'What a key may do, what the plans cost, what was used',
    ),
    entry('guides/test-clocks', 'Test clocks', 'A sandbox whose weeks pass in seconds'),
    entry('guides/payments', 'Payments', 'Paying for pro and invoices, receipts, failed charges'),
    entry('guides/x402', 'Pay per booking', 'Book without an account, paid by x402 in USDC'),
    entry('guides/team', 'Your team', 'Members and their roles, invitations, the audit log'),
    entry(
      'guides/agents-and-feed',
      'Agents and feed',
      'Registered agents, their cards, and the public feed',
    ),
    entry('guides/public-pages', 'Public pages', 'What people and programs can read without a key'),
  ]),
  section(
    'For venues',
    [
      entry(
        'operate/availability',
        'Availability rules',
        'The rules that decide which times can be booked',
      ),
      entry('operate/deposits', 'Deposits', 'How a venue states what it asks its guests for'),
      entry('operate/venue-page', 'Answering bookings', 'How a person at a venue answers bookings'),
      entry(
        'protocols/venue-connector',
        'Venue connector',
        'How a venue’s own system takes bookings',
      ),
      entry('protocols/venue-simulator', 'Venue simulator', 'A venue’s system to develop against'),
    ],
    'venues',
  ),
  section(
    'For operators',
    [
      entry(
        'operate/month-end',
        'Month’s end',
        'Closing months, checking the books, corrections and refunds',
      ),
    ],
    'operators',
  ),
]

function section(
  title: string,
  entries: readonly DocumentEntry[],
  audience: Audience = 'agents',
): Section {
  return { title, audience, entries }
}

function entry(path: string, short: string, summary: string): DocumentEntry {
  const [folder = '', name = ''] = path.split('/')
  return { folder, name, short, summary }
}

export const documentEntries = sections.flatMap(({ entries }) => entries)

/** Files in `docs/protocols` that documents link to; served unchanged below `/docs`. */
export const attachments: readonly string[] = [
  'receivers/receiver.go',
  'receivers/receiver.py',
  'receivers/receiver.ts',
  'receivers/verify.sh',
  'verify-timeline.mjs',
]

const fileOf = ({ folder, name }: DocumentEntry) => new URL(`${folder}/${name}.md`, FOLDER)
const attachmentOf = (path: string) => new URL(`protocols/${path}`, FOLDER)

export const readAttachment = (path: string): string => readFileSync(attachmentOf(path), 'utf8')

const addresses = new Map([
  ...documentEntries.map((one) => [fileOf(one).href, `/docs/${one.name}`] as const),
  ...attachments.map((path) => [attachmentOf(path).href, `/docs/${path}`] as const),
])
const LINK = /\[([^\]]+)\]\((?!https?:|#|mailto:|\/)([^)\s#]+)(#[^)\s]*)?\)/g

/**
 * Links to published files become their addresses, links to other files plain words, and `$URL` in
 * samples becomes the address of this service.
 */
function readDocument(one: DocumentEntry, publicUrl: string): string {
  const file = fileOf(one)
  return readFileSync(file, 'utf8')
    .replace(LINK, (_, words: string, path: string, anchor = '') => {
      const address = addresses.get(new URL(path, file).href)
      return address ? `[${words}](${address}${anchor})` : words
    })
    .replaceAll('$URL', publicUrl)
}

export type PublishedDocument = DocumentEntry & { source: string; rendered: Rendered }

const published = new Map<string, readonly PublishedDocument[]>()

/** All documents as the service at `publicUrl` publishes them, read and rendered on first use. */
export function publishedDocuments(publicUrl: string): readonly PublishedDocument[] {
  const cached = published.get(publicUrl)
  if (cached) return cached
  const documents = documentEntries.map((one) => {
    const source = readDocument(one, publicUrl)
    return { ...one, source, rendered: renderMarkdown(source) }
  })
  published.set(publicUrl, documents)
  return documents
}

/** The published documents for one kind of reader. */
export function documentsFor(audience: Audience, publicUrl: string): readonly PublishedDocument[] {
  const theirs = sections
    .filter((one) => one.audience === audience)
    .flatMap(({ entries }) => entries)
  const names = new Set(theirs.map(({ name }) => name))
  return publishedDocuments(publicUrl).filter(({ name }) => names.has(name))
}
