import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerBooking, type BookingDeps } from './answer-booking.ts'
import { type AvailabilityState, type Request, requestSchema } from './messages.ts'
import type { Respond } from './respond.ts'
import type { Behaviour, Script } from './script.ts'
import type { Signatures } from './signatures.ts'
import { availabilityState, isWindow } from './venue-messages.ts'

const BODY_LIMIT_BYTES = 1_000_000

export type VenueDoorDeps = BookingDeps & {
  script: Script
  signatures: Signatures
  respond: Respond
}

/** Serves any path below /venues; the message names the venue. */
export async function venueDoor(app: FastifyInstance, deps: VenueDoorDeps): Promise<void> {
  const { book, script, signatures, respond, log } = deps
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  app.post('/venues/*', { bodyLimit: BODY_LIMIT_BYTES }, answer)

  async function answer({ headers, body }: FastifyRequest, reply: FastifyReply) {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    if (!signatures.verify(headers, bytes))
      return refuse(reply, 401, 'The signature is invalid or its timestamp is too far off')
    const { data: request, error } = requestSchema.safeParse(parseJson(bytes))
    const fields = error?.issues.map(({ path }) => path.join('.') || 'body')
    if (request === undefined) return refuse(reply, 400, `Not a valid connector message: ${fields}`)
    if (request.type === 'availability.read' && !isWindow(request.from, request.to))
      return refuse(reply, 400, '`from` and `to` must be dates in order, at most 14 days apart')

    const scripted = script.take(request)
    const { state, afterwards } =
      request.type === 'availability.read'
        ? { state: readAvailability(request, scripted), afterwards: undefined }
        : await answerBooking(deps, request, scripted)
    if (scripted?.latency_ms !== undefined)
      await new Promise((resume) => setTimeout(resume, scripted.latency_ms))
    await respond(reply, String(headers['webhook-id']), state, scripted ?? {})
    afterwards?.()
    return reply
  }

  function readAvailability(
    request: Extract<Request, { type: 'availability.read' }>,
    scripted: Behaviour | undefined,
  ): AvailabilityState {
    const { type, venue_id, from, to, timezone, answer_url: answerUrl } = request
    Object.assign(book.venue(venue_id), { timezone, answerUrl })
    const state = availabilityState(book, venue_id, from, to)
    const answered = scripted?.fail ?? `${state.slots.length} slots`
    log({ at: state.as_of, type, venue_id, answered, ...(scripted && { script: scripted }) })
    return state
  }

  function refuse(reply: FastifyReply, status: number, detail: string) {
    log({ at: new Date().toISOString(), type: 'message', answered: `${status} ${detail}` })
    return reply.code(status).send({ detail })
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
