import { readFileSync } from 'node:fs'
import { type Rendered, renderMarkdown } from './markdown.ts'

const FOLDER = new URL('../../../../docs/', import.meta.url)

/** The readers of documents. */
export const audiences = ['agents', 'venues'] as const
type Audience = (typeof audiences)[number]

/** A published document: the file `docs/<folder>/<name>.md`, served as `/docs/<name>`. */
export type DocumentEntry = { name: string; folder: string; audience: Audience; summary: string }

/**
 * Every published document in reading order; `summary` is its line in an index. None contains a
 * command of the operator: whoever reads a page here cannot run it, and an agent should not try.
 */
export const documentEntries: readonly DocumentEntry[] = [
  entry('agents', 'guides/dashboard', 'Sign-up, the first call, and everything an account has'),
  entry('agents', 'guides/search', 'Finding venues from free text, party, date and time'),
  entry('agents', 'guides/bookings', 'Every state of a booking, what moves it, what it costs'),
  entry('agents', 'guides/guests', 'What your user gets: a page of the booking, and mails'),
  entry('agents', 'protocols/doors', 'REST, A2A and MCP: envelopes, retries, limits and errors'),
  entry('agents', 'guides/groups', 'Several choices in order, or a whole itinerary'),
  entry('agents', 'guides/watch', 'The waitlist: waiting for a slot that is full'),
  entry('agents', 'guides/reminders-calendar-fees', 'Reminders, calendar entry and fees'),
  entry('agents', 'protocols/timeline', 'What happened to a booking, signed and verifiable'),
  entry('agents', 'protocols/webhooks', 'From nothing to a verified event at your own address'),
  entry('agents', 'protocols/webhook-events', 'Every type of event, with an example'),
  entry('agents', 'protocols/webhook-deliveries', 'Reading, retrying and replaying events'),
  entry('agents', 'guides/guarantees', 'What is promised, by which mechanism, and the proof'),
  entry('agents', 'guides/keys-and-plan', 'What a key may do, what the plans cost, what was used'),
  entry('agents', 'guides/agents-and-feed', 'Registered agents, their cards, and the public feed'),
  entry('agents', 'guides/cli', 'Searching, booking and webhooks from a terminal'),
  entry('agents', 'guides/public-pages', 'What people and programs can read without a key'),
  entry('venues', 'operate/availability', 'The rules that decide which times can be booked'),
  entry('venues', 'operate/venue-page', 'How a person at a venue answers bookings'),
  entry('venues', 'protocols/venue-connector', 'How a venue’s own system takes bookings'),
  entry('venues', 'protocols/venue-simulator', 'A venue’s system to develop against'),
]

/** Files in `docs/protocols` that documents link to; served unchanged below `/docs`. */
export const attachments: readonly string[] = [
  'receivers/receiver.go',
  'receivers/receiver.py',
  'receivers/receiver.ts',
  'receivers/verify.sh',
  'verify-timeline.mjs',
]

function entry(audience: Audience, path: string, summary: string): DocumentEntry {
  const [folder = '', name = ''] = path.split('/')
  return { audience, folder, name, summary }
}

const fileOf = ({ folder, name }: DocumentEntry) => new URL(`${folder}/${name}.md`, FOLDER)
const attachmentOf = (path: string) => new URL(`protocols/${path}`, FOLDER)

export const readAttachment = (path: string): string => readFileSync(attachmentOf(path), 'utf8')

const addresses = new Map([
  ...documentEntries.map((one) => [fileOf(one).href, `/docs/${one.name}`] as const),
  ...attachments.map((path) => [attachmentOf(path).href, `/docs/${path}`] as const),
])
const LINK = /\[([^\]]+)\]\((?!https?:|#|mailto:|\/)([^)\s#]+)(#[^)\s]*)?\)/g

/** Links to published files become their addresses; links to other files become plain words. */
function readDocument(one: DocumentEntry): string {
  const file = fileOf(one)
  return readFileSync(file, 'utf8').replace(LINK, (_, words: string, path: string, anchor = '') => {
    const address = addresses.get(new URL(path, file).href)
    return address ? `[${words}](${address}${anchor})` : words
  })
}

let documents: readonly (DocumentEntry & { source: string; rendered: Rendered })[] | undefined

/** All published documents with their Markdown, read and rendered on first use. */
export function publishedDocuments() {
  documents ??= documentEntries.map((entry) => {
    const source = readDocument(entry)
    return { ...entry, source, rendered: renderMarkdown(source) }
  })
  return documents
}

/** The published documents for one kind of reader. */
export const documentsFor = (reader: Audience) =>
  publishedDocuments().filter(({ audience }) => audience === reader)
