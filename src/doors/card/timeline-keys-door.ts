import type { FastifyInstance } from 'fastify'
import { TIMELINE_KEYS_PATH, type TimelineJwk } from '../../bookings/rules/timeline.ts'
import { servePublished } from './published.ts'

/** The public keys of timelines as a JWK set (RFC 7517): the one that signs first, then earlier ones. */
export async function timelineKeysDoor(
  scope: FastifyInstance,
  { keys }: { keys: readonly TimelineJwk[] },
) {
  servePublished(scope, TIMELINE_KEYS_PATH, { keys })
}
