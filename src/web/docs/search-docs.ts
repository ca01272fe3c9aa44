import MiniSearch from 'minisearch'
import { errorCatalogue } from '../../base/error-catalogue.ts'
import type { PublishedDocument } from './documents.ts'
import { referenceGroups } from './reference-operations.ts'

/** A match in the documentation; `title` is the title of its page. */
export type DocsMatch = { address: string; title: string; heading: string; excerpt: string }
type Part = DocsMatch & { text: string }

const MAX_FOUND = 20
const EXCERPT_CHARS = 180
const HEADING = /^(?=#{1,3} )/m

/** A search over document sections, operations and error codes; the index is built on first use. */
export function createDocsSearch(documents: () => readonly PublishedDocument[]) {
  let index: MiniSearch<Part> | undefined
  return (words: string): DocsMatch[] => {
    if (words.trim() === '') return []
    index ??= indexOf([...documents().flatMap(partsOf), ...operationParts(), ...errorParts()])
    const matches = index.search(words)
    const all = matches.length > 0 ? matches : index.search(words, { combineWith: 'OR' })
    return all.slice(0, MAX_FOUND) as unknown as DocsMatch[]
  }
}

function indexOf(parts: readonly Part[]): MiniSearch<Part> {
  const index = new MiniSearch<Part>({
    idField: 'address',
    fields: ['heading', 'title', 'text'],
    storeFields: ['address', 'title', 'heading', 'excerpt'],
    searchOptions: {
      boost: { heading: 4, title: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  })
  index.addAll(parts)
  return index
}

/** The sections of a document, one per heading; samples are searchable but not shown. */
function partsOf({ name, source, rendered }: PublishedDocument): Part[] {
  const sections = source.replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/^#/gm, ' #'))
  const headings = rendered.headings.filter(({ level }) => level <= 3)
  return sections.split(HEADING).flatMap((text, nth) => {
    const heading = headings[nth]
    if (!heading) return []
    const address = nth === 0 ? `/docs/${name}` : `/docs/${name}#${heading.anchor}`
    return partOf(address, rendered.title, heading.words, text.replace(/^#.*\n/, ''))
  })
}

const operationParts = () =>
  referenceGroups.flatMap(({ operations }) =>
    operations.map(({ id, summary, method, path, description }) =>
      partOf(`/reference/${id}`, 'API reference', summary, `${method} ${path}. ${description}`),
    ),
  )

const errorParts = () =>
  Object.entries(errorCatalogue).map(([code, { title, advice }]) =>
    partOf(`/errors#${code}`, 'Errors', code, `${title}. ${advice}`),
  )

function partOf(address: string, title: string, heading: string, text: string): Part {
  const visible = text
    .replaceAll(/^```[\s\S]*?^```/gm, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|-{3,}|^ *- /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const excerpt = visible.length > EXCERPT_CHARS ? `${visible.slice(0, EXCERPT_CHARS)}…` : visible
  return { address, title, heading, excerpt, text }
}
