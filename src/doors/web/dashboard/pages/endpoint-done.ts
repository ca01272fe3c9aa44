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
  paused: 'Paused. Events are held until you resume.',
  disabled: 'Disabled. Events are held until you enable the endpoint.',
  opened: 'Active. Events are delivered again.',
  unproved: 'Enabled. Verify the address to receive events.',
  updated: 'Saved.',
  moved: 'Saved. Verify the new address; events are held until then.',
  activated: 'The staged secret is active. The old one keeps signing beside it during the overlap.',
  replayed: 'This form was already submitted. Its replay has finished and been erased.',
  tested: 'This form was already submitted. Its delivery has been erased.',
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
