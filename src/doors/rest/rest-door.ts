import type { FastifyInstance, HTTPMethods } from 'fastify'
import { catalogue } from '../../network.ts'
import { paymentOf, receiptIn, settledHeaders } from '../calls/payments.ts'
import { sendProblem } from '../calls/refusals.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { createCsvExport, preferredZoneOf, wantsCsv } from '../csv/csv-export.ts'
import { rateLimitHeaders } from '../guards/allowance.ts'
import { keepBodyBytes } from '../http/json-body.ts'
import { createFeedStream, wantsStream } from './feed-stream.ts'
import { createReadInput } from './request-input.ts'

/** Serves the operations of the catalogue and the feed's stream. */
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
    const { operation, rest } = capability
    const { tier = operation.tier, file } = rest
    const [method, path] = rest.route.split(' ') as [HTTPMethods, string]
    const readInput = createReadInput(capability)
    const statusOf = (output: Record<string, unknown>) => rest.answer?.(output).status ?? 200

    scope.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        if (rest.live) {
          reply.header('vary', 'accept')
          if (wantsStream(request)) return feedStream(request, reply)
        }
        let input: Record<string, unknown> = {}
        const read = () => {
          const call = readInput(request)
          input = call.input
          return call
        }
        const payment = () => paymentOf(request)
        const call = { door: 'rest', request, operation, tier, read, payment, statusOf } as const
        const { result, allowance } = await run(call)
        reply.headers(rateLimitHeaders(allowance))
        if ('refusal' in result) return sendProblem(reply, publicUrl, result.refusal)
        const { output, json } = result
        if (rest.csv) {
          reply.header('vary', 'accept, prefer')
          if (wantsCsv(request)) {
            const zone = preferredZoneOf(request)
            return sendCsv(request, reply, { capability, door: 'rest', input, zone })
          }
        }
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
      },
    })
  }
}
