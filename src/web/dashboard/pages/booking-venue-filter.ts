import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { Refusal } from '../../../base/errors.ts'
import { listBookings } from '../../../bookings/operations/list-bookings.ts'
import { MAX_QUERY_CHARS, searchVenues } from '../../../venues/operations/search-venues.ts'
import type { PageDeps } from '../page.ts'

const MAX_NAMESAKES = 20

type Input = { venue?: string | undefined } & Record<string, string | undefined>
type VenueBookings = z.output<typeof listBookings.output> & { venueError?: string }

/** Lists the bookings at a venue, given by its slug, id or typed name. */
export async function listByVenue(
  request: FastifyRequest,
  call: PageDeps['call'],
  input: Input,
): Promise<VenueBookings> {
  try {
    return await call(request, listBookings, input)
  } catch (error) {
    if (!(error instanceof Refusal) || error.data.code !== 'venue_not_found') throw error
  }
  const ids = await idsOfName(request, call, input.venue ?? '')
  const [id] = ids
  if (id && ids.length === 1) return call(request, listBookings, { ...input, venue: id })
  const venueError = id
    ? 'Several venues have this name. Enter the slug from the venue’s page.'
    : 'No venue has this name, slug or id.'
  return { bookings: [], next_cursor: null, venueError }
}

async function idsOfName(request: FastifyRequest, call: PageDeps['call'], typed: string) {
  const name = typed.trim().slice(0, MAX_QUERY_CHARS)
  if (name === '') return []
  const { venues } = await call(request, searchVenues, { query: name, limit: MAX_NAMESAKES })
  const same = venues.filter((venue) => venue.name.toLowerCase() === name.toLowerCase())
  return same.map(({ id }) => id)
}
