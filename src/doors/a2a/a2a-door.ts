import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../contract/operation.ts'
import { errorCatalogue } from '../../contract/rules/error-catalogue.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import { NETWORK_VERSION, PROTOCOL } from '../../contract/rules/ids.ts'
import { rateLimitHeaders } from '../guards/allowance.ts'
import { keepBodyBytes } from '../json-body.ts'
import { parseInput } from '../parse-input.ts'
import { refusalFrom } from '../refusal-from.ts'
import { refusalHeaders } from '../refusal-headers.ts'
import { noteMethods, refuseOtherMethods } from '../refuse-other-methods.ts'
import type { RunOperation } from '../run-operation.ts'
import { type Envelope, readEnvelope } from './envelope.ts'

const PROTOCOL_VERSION = 'v1'

export type A2aDoor = { run: RunOperation; publicUrl: string; feePct: number }

/** `POST /a2a/v1`, specification section 4.1: one envelope in, one envelope out, whatever goes wrong. */
export async function a2aDoor(scope: FastifyInstance, { run, publicUrl, feePct }: A2aDoor) {
  const metaOf = (request: FastifyRequest, account: Account | null) => ({
    protocol_version: PROTOCOL_VERSION,
    network_version: NETWORK_VERSION,
    fee_pct: feePct,
    tier: account?.tier ?? null,
    request_id: request.id,
  })

  const sendRefusal = (
    reply: FastifyReply,
    refusal: RefusalData,
    intent: string | null,
    account: Account | null,
  ) => {
    const { code, message, facts } = refusal
    const { status, retryable } = errorCatalogue[code]
    const docs = `${publicUrl}/errors#${code}`
    return reply
      .code(status)
      .headers(refusalHeaders(refusal))
      .send({
        protocol: PROTOCOL,
        intent,
        error: { ...facts, code, message, retryable, docs },
        meta: metaOf(reply.request, account),
      })
  }

  keepBodyBytes(scope)
  scope.setErrorHandler((error, _, reply) => sendRefusal(reply, refusalFrom(error), null, null))
  const methods = noteMethods(scope)

  scope.post('/a2a/v1', async (request, reply) => {
    const envelope = readEnvelope(request)
    const { intent } = envelope
    const outcome = await run({ door: 'a2a', request, ...callOf(envelope) })
    const { result, allowance, account } = outcome
    if (allowance) reply.headers(rateLimitHeaders(allowance))
    if ('refusal' in result) return sendRefusal(reply, result.refusal, intent, account)
    return reply.send({
      protocol: PROTOCOL,
      from: 'agent://service',
      intent,
      payload: result.output,
      meta: metaOf(request, account),
    })
  })

  refuseOtherMethods(scope, methods)
}

function callOf({ capability, read }: Envelope) {
  const operation = capability?.operation
  return {
    target: operation ? { operation, tier: operation.tier } : null,
    read: () => {
      const { payload, from } = read()
      return { input: operation ? parseInput(operation.input, payload) : {}, from }
    },
  }
}
