import type { FastifyRequest } from 'fastify'
import { deviceWords } from '../../../model/device-words.ts'
import type { Visit } from '../../../operations/open-session.ts'

/** Who is at the other end of a request. */
export const visitOf = ({ ip, headers }: FastifyRequest): Visit => ({
  at: new Date(),
  address: ip,
  device: deviceWords(headers['user-agent']),
})
