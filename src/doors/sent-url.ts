import type { FastifyRequest } from 'fastify'

/**
 * The path and query as they were sent, to be repeated or shown. One address has endless spellings,
 * so nothing is decided by them: `routeOptions.url` is the route that the router has matched.
 */
export const sentUrl = ({ url }: FastifyRequest): string => url

/** The path as it was sent. */
export const sentPath = ({ url }: FastifyRequest): string => url.replace(/[?#].*$/, '')
