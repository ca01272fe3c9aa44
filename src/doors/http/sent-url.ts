import type { FastifyRequest } from 'fastify'

/**
 * The path and query as they were sent, to be repeated or shown. One address has endless spellings,
 * so nothing is decided by them: `routeOptions.url` is the route that the router has matched.
 */
export const sentUrl = ({ originalUrl }: FastifyRequest): string => originalUrl

/** The path as it was sent. */
export const sentPath = (request: FastifyRequest): string => pathOf(sentUrl(request))

/** The path as the router took it: without the mode of the dashboard. */
export const routedPath = ({ url }: FastifyRequest): string => pathOf(url)

const pathOf = (url: string) => url.replace(/[?#].*$/, '')
