import type { FastifyRequest } from 'fastify'
import { addressOf } from '../../../guards/address-limit.ts'
import { deviceWords } from '../../../model/device-words.ts'
import type { Visit } from '../../../operations/open-session.ts'

/** Who is at the other end of a request. */
export const visitOf = (request: FastifyRequest): Visit => ({
  at: new Date(),
  address: addressOf(request),
  device: deviceWords(request.headers['user-agent']),
})
