import { readFileSync } from 'node:fs'
import { type Rendered, renderMarkdown } from '../site/markdown.ts'
import published from './documents.json' with { type: 'json' }

const FOLDER = new URL('../../../docs/', import.meta.url)

/** Whom a document is written for. */
export type Audience = 'agents' | 'venues' | 'operators'

/** A published document: `docs/<folder>/<name>.md`, at `/docs/<name>`; `short` is for lists. */
type DocumentEntry = Record<'name' | 'folder' | 'short' | 'summary', string> & {
  audience: Audience
}

/**
 * Every published document in reading order, as listed in `documents.json`; `summary` is its line
 * in an index.
 */
export const sections = published.map(({ title, audience, entries }) => ({
  title,
  entries: entries.map(({ path, ...words }): DocumentEntry => {
    const [folder = '', name = ''] = path.split('/')
    return { folder, name, audience: audience as Audience, ...words }
  }),
}))

export const documentEntries = sections.flatMap(({ entries }) => entries)

/** Files in `docs/protocols` that documents link to; served unchanged under `/docs`. */
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
const LOCAL_URL = 'http://127.0.0.1:3000'
const LINK = /\[([^\]]+)\]\((?!https?:|#|mailto:|\/)([^)\s#]+)(#[^)\s]*)?\)/g

/**
 * Turns links to published files into their addresses and links to other files into plain text. The
 * address of `npm start`, with which samples work as pasted, becomes this service's.
 */
function readDocument(one: DocumentEntry, publicUrl: string): string {
  const file = fileOf(one)
  return readFileSync(file, 'utf8')
    .replace(LINK, (_, words: string, path: string, anchor = '') => {
      const address = addresses.get(new URL(path, file).href)
      return address ? `[${words}](${address}${anchor})` : words
    })
    .replaceAll(`](${LOCAL_URL}/`, '](/')
    .replaceAll(LOCAL_URL, publicUrl)
}

export type PublishedDocument = DocumentEntry & { source: string; rendered: Rendered }

const rendered = new Map<string, readonly PublishedDocument[]>()

/** All documents published by the service at `publicUrl`, read and rendered on first use. */
export function publishedDocuments(publicUrl: string): readonly PublishedDocument[] {
  const cached = rendered.get(publicUrl)
  if (cached) return cached
  const documents = documentEntries.map((one) => {
    const source = readDocument(one, publicUrl)
    return { ...one, source, rendered: renderMarkdown(source) }
  })
  rendered.set(publicUrl, documents)
  return documents
}

/** The published documents for one audience. */
export const documentsFor = (audience: Audience, publicUrl: string): readonly PublishedDocument[] =>
  publishedDocuments(publicUrl).filter((one) => one.audience === audience)
