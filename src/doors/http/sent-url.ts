import type { FastifyRequest } from 'fastify'

/**
 * The path and query as sent, for repeating or showing. One address has endless spellings, so
 * decisions use `routeOptions.url`, the route that the router has matched.
 */
export const sentUrl = ({ originalUrl }: FastifyRequest): string => originalUrl

/** The path as sent. */
export const sentPath = (request: FastifyRequest): string => pathOf(sentUrl(request))

/** The path for the router: without the mode of the dashboard. */
export const routedPath = ({ url }: FastifyRequest): string => pathOf(url)

const pathOf = (url: string) => url.replace(/[?#].*$/, '')
