import { z } from 'zod'

type Fields = Record<string, unknown>

/**
 * A tool that gives another tool's answer as documents, with the names, inputs and shapes that
 * ChatGPT requires of a source for research (developers.openai.com/api/docs/mcp).
 */
export type DocumentTool = {
  /** the tool whose operation it runs */
  of: string
  /** its only input, the operation's field for it, and what that is */
  input: { name: string; field: string; about: string }
  output: z.ZodObject
  /** the answer; ChatGPT reads it as text and as structured content */
  documentsOf(answer: Fields, publicUrl: string): Fields
}

const reference = { id: z.string(), title: z.string(), url: z.string() }

const whole = z.object({
  ...reference,
  text: z.string(),
  metadata: z.looseObject({}),
})

export const documentTools: Readonly<Record<string, DocumentTool>> = {
  search: {
    of: 'search_venues',
    input: { name: 'query', field: 'query', about: 'What to find and where' },
    output: z.object({ results: z.array(z.object(reference)) }),
    documentsOf: ({ venues }, publicUrl) => ({
      results: (venues as Fields[]).map((venue) => referenceOf(venue, publicUrl)),
    }),
  },
  fetch: {
    of: 'get_venue',
    input: { name: 'id', field: 'slug', about: '`id` of a result of search' },
    output: whole,
    documentsOf(answer, publicUrl) {
      const venue = answer.venue as Fields
      const { category, area, city, country } = venue
      const metadata = { category, area, city, country }
      return { ...referenceOf(venue, publicUrl), text: textOf({ ...answer, ...venue }), metadata }
    },
  },
}

function referenceOf({ slug, name, category, area }: Fields, publicUrl: string) {
  const title = `${name} (${category}, ${area})`
  return { id: slug, title, url: `${publicUrl}/venues/${slug}` }
}

/** A venue field by field; what is not text stays JSON, so that it can be booked as it stands. */
const textOf = ({ venue: _, detail: _detail, ...fields }: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
