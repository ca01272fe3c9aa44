import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusalData } from '../../../contract/rules/errors.ts'
import type { Category } from '../../../contract/rules/venue-kinds.ts'
import { listVenues } from '../../../venues/operations/list-venues.ts'
import { MOST_QUERY_CHARS, searchVenues } from '../../../venues/operations/search-venues.ts'
import type { Answer, CallOpen } from './call-open.ts'

const VENUES_PER_PAGE = 12

const fields = ['q', 'category', 'area', 'party_size', 'date', 'time', 'cursor'] as const
type Field = (typeof fields)[number]

/** What was filled in, as it was written; empty where nothing was. */
export type Filled = Record<Field, string>

/** The fields of an address of the list; of one that comes twice the last, and nothing that the form does not have. */
export function filledIn(request: FastifyRequest): Filled {
  return Object.fromEntries(fields.map((field) => [field, queryField(request, field)])) as Filled
}

/** The address of the list with these fields. */
export function listPath(filled: Partial<Filled>): string {
  const said = fields.flatMap((field) => (filled[field] ? [[field, filled[field]]] : []))
  const query = new URLSearchParams(said as [string, string][]).toString()
  return query ? `/venues?${query}` : '/venues'
}

/**
 * The venues that the form asks for. Words are searched for as agents' are, with the kind and the place chosen beside them added to the
 * sentence; without words it is the list.
 */
export async function findVenues(
  call: CallOpen,
  request: FastifyRequest,
  reply: FastifyReply,
  { q, category, area, party_size, date, time, cursor }: Filled,
): Promise<Answer<typeof searchVenues> | Answer<typeof listVenues>> {
  const asked = {
    limit: VENUES_PER_PAGE,
    ...(party_size && { party_size: Number(party_size) }),
    ...(date && { date }),
    ...(time && { time }),
    ...(cursor && { cursor }),
  }
  if (q === '') {
    const input = {
      ...asked,
      ...(category && { category: category as Category }),
      ...(area && { area }),
    }
    return call(request, reply, listVenues, input)
  }
  const query = [q, category, area && `in ${area}`].filter(Boolean).join(' ')
  if (query.length > MOST_QUERY_CHARS) {
    const long = `Your search has ${query.length} characters. The limit is ${MOST_QUERY_CHARS}.`
    return { refusal: refusalData('invalid_request', long) }
  }
  return call(request, reply, searchVenues, { ...asked, query })
}

/** A field of the address as it was written, without spaces around it; the last, if it comes twice, and empty, if never. */
export function queryField(request: FastifyRequest, name: string): string {
  const query = request.query as Record<string, string | string[] | undefined>
  return [query[name]].flat().at(-1)?.trim() ?? ''
}
