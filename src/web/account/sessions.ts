import type { FastifyReply, FastifyRequest } from 'fastify'
import { leaveSession, type Visit } from '../../accounts/operations/sessions.ts'
import { describeDevice } from '../../accounts/rules/describe-device.ts'
import { addressOf } from '../../doors/guards/allowance.ts'
import type { PageDeps } from '../dashboard/page.ts'

/** The browser that sent a request. */
export const visitOf = (request: FastifyRequest): Visit => ({
  at: new Date(),
  address: addressOf(request),
  device: describeDevice(request.headers['user-agent']),
})

/** Ends the request's session, if any, and starts the session of `token`, made for a password. */
export async function replaceSession(
  { services, guards }: Pick<PageDeps, 'services' | 'guards'>,
  reply: FastifyReply,
  token: string,
): Promise<void> {
  const { developer } = reply.request
  if (developer) await leaveSession(services, developer, visitOf(reply.request))
  await guards.beginSession(reply, token)
}
