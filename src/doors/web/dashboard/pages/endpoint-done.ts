import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../../webhooks/schema/endpoints.ts'
import type { Html } from '../../html.ts'
import { idOf } from '../../query.ts'
import type { TriedEndpoint } from './endpoint-fields.ts'

/** Answers with the page of an endpoint, with what has just come of something, or with its settings as they were refused. */
export type ShowEndpoint = (
  request: FastifyRequest,
  reply: FastifyReply,
  said?: { notice?: Html | undefined; tried?: TriedEndpoint },
) => Promise<FastifyReply>

/** What the page of an endpoint says after one of its forms. */
export const endpointDone = {
  paused: 'Paused: events are held until you resume.',
  disabled: 'Switched off: events are held until you enable it.',
  opened: 'It is sent events again.',
  unproved: 'It is enabled, and its address has to prove itself before it is sent anything.',
  updated: 'Changed.',
  moved: 'Changed. The new address has to prove itself; events are held until then.',
  activated: 'The staged secret signs now, and the one before beside it for the overlap.',
  replayed: 'That form was sent before: its replay is over, and has been erased since.',
  tested: 'The test event of an earlier form; its delivery has been erased since.',
}

/** Which of these sentences are so, where an endpoint can say it. */
export const endpointHolds = ({ status, verified }: Endpoint) => ({
  paused: status === 'paused',
  disabled: status === 'disabled',
  opened: status === 'active',
  unproved: status === 'unverified',
  moved: !verified,
})

/** Back to the page of the endpoint, with one of its sentences. */
export const backToEndpoint = (
  request: FastifyRequest,
  reply: FastifyReply,
  word: keyof typeof endpointDone,
) => reply.redirect(`/dashboard/webhooks/${idOf(request)}?done=${word}`, 303)
