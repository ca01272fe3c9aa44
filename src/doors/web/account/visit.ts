import type { FastifyRequest } from 'fastify'
import type { Visit } from '../../../accounts/operations/open-session.ts'
import { deviceWords } from '../../../accounts/rules/device-words.ts'
import { addressOf } from '../../guards/address-limit.ts'

/** Who is at the other end of a request. */
export const visitOf = (request: FastifyRequest): Visit => ({
  at: new Date(),
  address: addressOf(request),
  device: deviceWords(request.headers['user-agent']),
})
