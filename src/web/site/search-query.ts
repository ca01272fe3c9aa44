import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusalData } from '../../base/errors.ts'
import { setRefusal } from '../../doors/calls/refusals.ts'
import { listVenuesInFull } from '../../venues/operations/list-venues.ts'
import { MAX_QUERY_CHARS, searchVenuesInFull } from '../../venues/operations/search-venues.ts'
import { withQuery } from '../page/forms.ts'
import type { CallOpen, OpenAnswer } from './call-open.ts'

const VENUES_PER_PAGE = 12

const fields = ['q', 'category', 'area', 'party_size', 'date', 'time', 'cursor'] as const

/** The fields of the search form as submitted; empty by default. */
export type SearchFields = Record<(typeof fields)[number], string>

export const searchFields = (request: FastifyRequest): SearchFields => queryFields(request, fields)

/** The address of the list with these field values. */
export const listPath = (values: Partial<SearchFields>): string => withQuery('/venues', values)

/** Finds venues as agents do: by words, category and area or, without words, as a filtered list. */
export async function findVenues(
  call: CallOpen,
  reply: FastifyReply,
  { q, category, area, party_size, date, time, cursor }: SearchFields,
): Promise<OpenAnswer<typeof searchVenuesInFull> | OpenAnswer<typeof listVenuesInFull>> {
  const input = {
    limit: VENUES_PER_PAGE,
    ...(party_size && { party_size: Number(party_size) }),
    ...(date && { date }),
    ...(time && { time }),
    ...(cursor && { cursor }),
  }
  if (q === '') {
    const place = { ...(category && { category }), ...(area && { area }) }
    return call(reply, listVenuesInFull, { ...input, ...place })
  }
  const query = [q, category, area && `in ${area}`].filter(Boolean).join(' ')
  if (query.length <= MAX_QUERY_CHARS) return call(reply, searchVenuesInFull, { ...input, query })
  const long = `Your search has ${query.length} characters. The limit is ${MAX_QUERY_CHARS}.`
  const refusal = refusalData('invalid_request', long)
  setRefusal(reply, refusal)
  return { refusal }
}

/** Query parameters, trimmed: the last if one is repeated, empty if it is absent. */
export function queryFields<N extends string>(request: FastifyRequest, names: readonly N[]) {
  const query = request.query as Record<string, string | string[] | undefined>
  const values = names.map((name) => [name, [query[name]].flat().at(-1)?.trim() ?? ''])
  return Object.fromEntries(values) as Record<N, string>
}
