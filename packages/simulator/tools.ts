import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Book, Booking, Entry } from './book.ts'
import type { Posts } from './posts.ts'
import { redecided } from './receive.ts'
import { type Script, scriptSchema } from './script.ts'
import { availabilityFromToday, bookingState, visitState } from './venue-messages.ts'

const seatsSchema = z.strictObject({
  venue_id: z.string().min(1),
  seats: z.number().int().min(0).max(100_000),
})
const fullSchema = z.strictObject({
  venue_id: z.string().min(1),
  slot_times: z.array(z.iso.datetime({ local: true })).max(2000),
  full: z.boolean().default(true),
})
const visitSchema = z.strictObject({ attended: z.boolean() })
const cancelSchema = z.strictObject({ reason: z.string().max(200).default('We have to close') })

export type ToolDeps = { token: string | undefined; book: Book; script: Script; posts: Posts }

/** Control endpoints, for holders of the token: they decide on behalf of venues. */
export async function tools(app: FastifyInstance, { token, book, script, posts }: ToolDeps) {
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (token !== undefined && isSame(headers.authorization, `Bearer ${token}`)) return
    const detail =
      token === undefined
        ? 'The tools are off: start the simulator with SIMULATOR_TOKEN'
        : 'The tools need `Authorization: Bearer` with SIMULATOR_TOKEN'
    return reply.code(401).header('www-authenticate', 'Bearer').send({ detail })
  })

  app.post('/script', async ({ body }) => {
    script.add(scriptSchema.parse(body))
    return { planned: script.planned() }
  })
  app.get('/script', async () => ({ planned: script.planned() }))
  app.delete('/script', async () => {
    script.clear()
    return { planned: [] }
  })

  app.get('/book', async () => ({ bookings: [...book.bookings.values()].map(withHistory) }))
  app.get<{ Params: { id: string } }>('/book/:id', async ({ params: { id } }, reply) => {
    const booking = book.bookings.get(id)
    if (booking) return withHistory(booking)
    const history = book.history.get(id)
    if (history) return { booking_id: id, status: 'unknown', revision: 0, history }
    return reply.code(404).send({ detail: 'No message about this booking has arrived' })
  })
  app.post<{ Params: { id: string } }>('/book/:id/cancel', async ({ params, body }, reply) => {
    const { reason } = cancelSchema.parse(body ?? {})
    return decides(reply, params.id, 'cancelled', reason)
  })
  app.post<{ Params: { id: string } }>('/book/:id/confirm', async ({ params }, reply) =>
    decides(reply, params.id, 'confirmed', null),
  )
  app.post<{ Params: { id: string } }>('/book/:id/visit', async ({ params, body }, reply) => {
    const { attended } = visitSchema.parse(body)
    const existing = book.bookings.get(params.id)
    if (!existing?.stay) return reply.code(404).send({ detail: 'No such booking' })
    const post = posts.prepare(existing.stay.answer_url, visitState(existing, attended))
    await book.write({ kind: 'post', post })
    void posts.send(post)
    return withHistory(existing)
  })

  app.post('/seats', async ({ body }) => {
    const change = seatsSchema.parse(body)
    return changed({ kind: 'seats', ...change }, change.venue_id)
  })
  app.post('/full', async ({ body }) => {
    const change = fullSchema.parse(body)
    return changed({ kind: 'full', ...change }, change.venue_id)
  })

  const withHistory = (booking: Booking) => ({
    ...booking,
    history: book.history.get(booking.booking_id) ?? [],
  })

  /** The venue decides unasked, overriding earlier responses, and posts its decision. */
  async function decides(
    reply: FastifyReply,
    bookingId: string,
    status: 'confirmed' | 'cancelled',
    reason: string | null,
  ) {
    const current = book.bookings.get(bookingId)
    if (!current?.stay) return reply.code(404).send({ detail: 'No such booking' })
    const booking = current.status === status ? current : redecided(current, status, reason)
    const post = posts.prepare(current.stay.answer_url, bookingState(booking))
    await book.write({ kind: 'booking', booking }, { kind: 'post', post })
    void posts.send(post)
    await pushAvailability(booking.venue_id)
    return withHistory(booking)
  }

  async function changed(entry: Entry, venueId: string) {
    await book.write(entry)
    const pushed = await pushAvailability(venueId)
    const { seats, full } = book.venue(venueId)
    return { venue_id: venueId, seats, full: [...full].sort(), pushed }
  }

  /** Returns false until a confirmation has provided the callback URL. */
  async function pushAvailability(venueId: string): Promise<boolean> {
    const url = book.venue(venueId).answerUrl
    if (url === undefined) return false
    const post = posts.prepare(url, availabilityFromToday(book, venueId))
    await book.write({ kind: 'post', post })
    void posts.send(post)
    return true
  }
}

/** Compares in constant time. */
const isSame = (actual: string | undefined, expected: string): boolean =>
  timingSafeEqual(digest(actual ?? ''), digest(expected))
const digest = (text: string) => createHash('sha256').update(text).digest()
