import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify'
import { catalogue } from '../../catalogue.ts'
import type { Capability, RestFile } from '../../contract/capability.ts'
import { rateLimitHeaders } from '../guards/allowance.ts'
import { keepBodyBytes } from '../json-body.ts'
import type { RunOperation } from '../run-operation.ts'
import { calendarRoute } from './calendar-route.ts'
import {
  createFeedStream,
  type FeedStream,
  type FeedStreamDeps,
  wantsStream,
} from './feed-stream.ts'
import { sendProblem } from './problem.ts'
import { createReadInput } from './request-input.ts'

export type RestDoor = FeedStreamDeps

/** Every operation of the catalogue at its REST address, the calendar file of a booking, and the stream of the feed. */
export async function restDoor(scope: FastifyInstance, door: RestDoor) {
  const { run, publicUrl } = door
  const feedStream = createFeedStream(scope, door)
  keepBodyBytes(scope)
  scope.addHook('onRequest', (_, reply, done) => {
    reply.header('link', '</openapi.json>; rel="service-desc"')
    done()
  })
  for (const capability of [...catalogue, calendarRoute]) {
    const stream = capability.rest.live ? feedStream : undefined
    addRoute(scope, capability, { run, publicUrl, stream })
  }
}

function addRoute(
  scope: FastifyInstance,
  capability: Capability,
  {
    run,
    publicUrl,
    stream,
  }: { run: RunOperation; publicUrl: string; stream?: FeedStream | undefined },
) {
  const { operation, rest } = capability
  const [method, path] = rest.route.split(' ') as [HTTPMethods, string]
  const target = { operation, tier: rest.tier ?? operation.tier }
  const readInput = createReadInput(capability)

  scope.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    handler: async (request, reply) => {
      if (stream) {
        reply.header('vary', 'accept')
        if (wantsStream(request)) return stream(request, reply)
      }
      const read = () => ({ input: readInput(request), from: null })
      const { result, allowance } = await run({ door: 'rest', request, target, read })
      if (allowance) reply.headers(rateLimitHeaders(allowance))
      if ('refusal' in result) return sendProblem(request, reply, publicUrl, result.refusal)
      return sendOutput(reply, rest, result, publicUrl)
    },
  })
}

function sendOutput(
  reply: FastifyReply,
  rest: Capability['rest'],
  { output, json }: { output: Record<string, unknown>; json?: Buffer },
  publicUrl: string,
) {
  if (rest.file) return sendFile(reply, rest.file, output, publicUrl)
  if (output.replayed === true) reply.header('idempotent-replayed', 'true')
  const answer = rest.answer?.(output)
  if (answer) reply.code(answer.status).headers(answer.headers)
  return reply.type('application/json; charset=utf-8').send(json ?? JSON.stringify(output))
}

const sendFile = (
  reply: FastifyReply,
  file: RestFile<Record<string, unknown>>,
  output: Record<string, unknown>,
  publicUrl: string,
) =>
  reply
    .type(file.type)
    .header('content-disposition', `attachment; filename="${file.nameOf(output)}"`)
    .send(file.render(output, publicUrl))
