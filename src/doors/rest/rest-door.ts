import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { catalogue } from '../../network.ts'
import { paymentOf, receiptIn, settledHeaders } from '../calls/payments.ts'
import { sendProblem } from '../calls/refusals.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { createCsvExport, preferredZoneOf, wantsCsv } from '../csv/csv-export.ts'
import { rateLimitHeaders } from '../guards/allowance.ts'
import { keepBodyBytes } from '../http/json-body.ts'
import { createFeedStream, wantsStream } from './feed-stream.ts'
import { createReadInput } from './request-input.ts'

type NetworkCapability = (typeof catalogue)[number]
type Output = Record<string, unknown>

/** Serves the operations in the catalogue and the stream of the feed. */
export async function restDoor(scope: FastifyInstance, door: DoorDeps) {
  const { run, publicUrl } = door
  const feedStream = createFeedStream(scope, door)
  const sendCsv = createCsvExport(scope, door)
  keepBodyBytes(scope)
  scope.addHook('onRequest', (_, reply, done) => {
    reply.header('link', '</openapi.json>; rel="service-desc"')
    done()
  })
  for (const capability of catalogue) {
    const { rest } = capability
    const [method, path] = rest.route.split(' ') as [HTTPMethods, string]
    const handle = createHandler(capability)
    scope.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: rest.live
        ? (request, reply) => {
            reply.header('vary', 'accept')
            return (wantsStream(request) ? feedStream : handle)(request, reply)
          }
        : handle,
    })
  }

  /** Answers calls with JSON, or with the file or CSV that the capability offers. */
  function createHandler(capability: NetworkCapability) {
    const { operation, rest } = capability
    const { tier = operation.tier } = rest
    const readInput = createReadInput(capability)
    const statusOf = (output: Output) => rest.answer?.(output).status ?? 200
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const payment = () => paymentOf(request)
      const read = () => readInput(request)
      const call = { door: 'rest', request, operation, tier, read, payment, statusOf } as const
      const { result, allowance, input } = await run(call)
      reply.headers(rateLimitHeaders(allowance))
      if ('refusal' in result) return sendProblem(reply, publicUrl, result.refusal)
      if (rest.csv) reply.header('vary', 'accept, prefer')
      if (rest.csv && wantsCsv(request)) {
        const zone = preferredZoneOf(request)
        return sendCsv(request, reply, { capability, door: 'rest', input: input ?? {}, zone })
      }
      return sendOutput(reply, capability, result)
    }
  }
}

function sendOutput(
  reply: FastifyReply,
  { operation, rest }: NetworkCapability,
  { output, json }: { output: Output; json?: Buffer },
) {
  const { file } = rest
  if (file) {
    const disposition = `attachment; filename="${file.nameOf(output)}"`
    reply.type(file.type).header('content-disposition', disposition)
    return reply.send(file.render(output))
  }
  if (output.replayed === true) reply.header('idempotent-replayed', 'true')
  const receipt = operation.payable && receiptIn(output)
  if (receipt) reply.headers(settledHeaders(receipt))
  const answer = rest.answer?.(output)
  if (answer) reply.code(answer.status).headers(answer.headers)
  return reply.type('application/json; charset=utf-8').send(json ?? JSON.stringify(output))
}
