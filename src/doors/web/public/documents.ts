import { readFileSync } from 'node:fs'
import { type Rendered, renderMarkdown } from './markdown.ts'

const FOLDER = new URL('../../../../docs/', import.meta.url)

/** For whom a document is written. */
export const audiences = ['agents', 'venues'] as const
type Audience = (typeof audiences)[number]

/** A document of the repository that is meant for those who use the network; `summary` is a line of an index. */
export type DocumentEntry = { name: string; audience: Audience; summary: string }

/** Every document that is published, in the order in which one would read them. */
export const documentEntries: readonly DocumentEntry[] = [
  entry('agents', 'dashboard', 'From nothing to the first call, and everything an account has'),
  entry('agents', 'bookings', 'Every state of a booking, what moves it, what it costs'),
  entry('agents', 'groups', 'Any of several choices, or all of an itinerary'),
  entry('agents', 'watch', 'Waiting for a slot that is full'),
  entry('agents', 'reminders-calendar-fees', 'What a booking does by itself, and what it costs'),
  entry('agents', 'timeline', 'What happened to a booking, signed and verifiable'),
  entry('agents', 'webhooks', 'From nothing to a verified event at an address of yours'),
  entry('agents', 'webhook-events', 'Every type of event, with an example'),
  entry('agents', 'webhook-deliveries', 'Reading, retrying and replaying events and deliveries'),
  entry('agents', 'guarantees', 'What is promised, by which mechanism, and how it is proved'),
  entry('agents', 'keys-and-plan', 'What a key may do, what the plans cost, what was used'),
  entry('agents', 'agents-and-feed', 'Registered agents, their cards, and the public feed'),
  entry('agents', 'cli', 'Searching, booking and webhooks from a terminal'),
  entry('agents', 'public-pages', 'What people, crawlers and agents can read without a key'),
  entry('venues', 'availability', 'The rules that decide which times can be booked'),
  entry('venues', 'importing-venues', 'Venues from CSV, JSON or GeoJSON'),
  entry('venues', 'venue-page', 'How a person at a venue answers bookings'),
  entry('venues', 'venue-connector', 'How a booking system takes bookings from the network'),
  entry('venues', 'venue-simulator', 'A venue’s system to develop against, honest or not'),
]

/** Files that documents refer to and that are served as they are. */
export const attachments: readonly string[] = [
  'receivers/receiver.go',
  'receivers/receiver.py',
  'receivers/receiver.ts',
  'receivers/verify.sh',
  'verify-timeline.mjs',
]

function entry(audience: Audience, name: string, summary: string): DocumentEntry {
  return { audience, name, summary }
}

/** One of them, as it is. */
export const readAttachment = (path: string): string => readFileSync(new URL(path, FOLDER), 'utf8')

const names = new Set(documentEntries.map(({ name }) => name))
const files = new Set(attachments)
const LINK = /\[([^\]\n]+)\]\((?!https?:|#|mailto:|\/)([^)\s#]+)(#[^)\s]*)?\)/g

/**
 * The Markdown of a document as it is published: the file, with links to published pages leading to them, and those that lead
 * to files of the repository alone turned into their words.
 */
function readDocument(name: string): string {
  const source = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')
  return source.replace(LINK, (_, words: string, path: string, anchor = '') => {
    if (files.has(path)) return `[${words}](/docs/${path})`
    const page = path.replace(/\.md$/, '')
    return names.has(page) ? `[${words}](/docs/${page}${anchor})` : words
  })
}

/** A published document: the Markdown that is its twin, and what that renders to. */
export type PublishedDocument = DocumentEntry & { source: string; rendered: Rendered }

let documents: readonly PublishedDocument[] | undefined

/** All of them, read and rendered when somebody first wants one. */
export function publishedDocuments(): readonly PublishedDocument[] {
  documents ??= documentEntries.map((entry) => {
    const source = readDocument(entry.name)
    return { ...entry, source, rendered: renderMarkdown(source) }
  })
  return documents
}
