import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Account } from '../../contract/define.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import { NETWORK_VERSION, PROTOCOL } from '../../contract/rules/ids.ts'
import { rateLimitHeaders } from '../guards/allowance.ts'
import { keepBodyBytes } from '../json-body.ts'
import { errorBody, refusalFrom, setRefusal } from '../refusals.ts'
import { noteMethods, refuseOtherMethods } from '../refuse-other-methods.ts'
import type { RunOperation } from '../run-operation.ts'
import { readEnvelope } from './envelope.ts'

const PROTOCOL_VERSION = 'v1'

type A2aDoor = { run: RunOperation; publicUrl: string; feePct: number }

/** `POST /a2a/v1`, specification section 4.1: every answer is an envelope, refusals included. */
export async function a2aDoor(scope: FastifyInstance, { run, publicUrl, feePct }: A2aDoor) {
  const metaOf = (reply: FastifyReply, account: Account | null) => ({
    protocol_version: PROTOCOL_VERSION,
    network_version: NETWORK_VERSION,
    fee_pct: feePct,
    tier: account?.tier ?? null,
    request_id: reply.request.id,
  })

  const sendRefusal = (
    reply: FastifyReply,
    refusal: RefusalData,
    intent: string | null = null,
    account: Account | null = null,
  ) => {
    const error = errorBody(refusal, publicUrl)
    const meta = metaOf(reply, account)
    return setRefusal(reply, refusal).send({ protocol: PROTOCOL, intent, error, meta })
  }

  keepBodyBytes(scope)
  scope.setErrorHandler((error, _, reply) => sendRefusal(reply, refusalFrom(error)))
  const methods = noteMethods(scope)

  scope.post('/a2a/v1', async (request, reply) => {
    const { intent, operation, read } = readEnvelope(request)
    const outcome = await run({ door: 'a2a', request, operation, read })
    const { result, allowance, account } = outcome
    reply.headers(rateLimitHeaders(allowance))
    if ('refusal' in result) return sendRefusal(reply, result.refusal, intent, account)
    return reply.send({
      protocol: PROTOCOL,
      from: 'agent://service',
      intent,
      payload: result.output,
      meta: metaOf(reply, account),
    })
  })

  refuseOtherMethods(scope, methods)
}
