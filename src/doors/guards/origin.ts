import type { FastifyRequest } from 'fastify'
import { refuse } from '../../contract/rules/errors.ts'

const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

export type OriginPolicy = { publicUrl: string; allowed: string[]; allowLoopback: boolean }

/**
 * Refuses browsers on foreign pages, and with them DNS rebinding: the origin is compared with the public address, as the
 * `Host` header is the attacker's to choose. Requests without `Origin` do not come from a page. MCP: security warning
 * of the HTTP transports.
 */
export function createOriginCheck({ publicUrl, allowed, allowLoopback }: OriginPolicy) {
  const origins = new Set([new URL(publicUrl).origin, ...allowed])
  return async (request: FastifyRequest): Promise<void> => {
    const { origin } = request.headers
    if (origin === undefined || origins.has(origin)) return
    if (allowLoopback && loopback.test(origin)) return
    throw refuse('origin_not_allowed')
  }
}
