import type { FastifyRequest } from 'fastify'
import type { Visit } from '../../../accounts/operations/sessions.ts'
import { describeDevice } from '../../../accounts/rules/describe-device.ts'
import { addressOf } from '../../guards/allowance.ts'

/** Who is at the other end of a request. */
export const visitOf = (request: FastifyRequest): Visit => ({
  at: new Date(),
  address: addressOf(request),
  device: describeDevice(request.headers['user-agent']),
})
