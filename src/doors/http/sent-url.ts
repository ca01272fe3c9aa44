import type { FastifyRequest } from 'fastify'

/**
 * The path and query as sent, to be repeated or shown. An address can be spelled in many ways, so
 * decisions use `routeOptions.url`, the route that the router matched.
 */
export const sentUrl = ({ originalUrl }: FastifyRequest): string => originalUrl

/** The path as sent. */
export const sentPath = (request: FastifyRequest): string => pathOf(sentUrl(request))

/** The path that the router sees, without the dashboard's mode. */
export const routedPath = ({ url }: FastifyRequest): string => pathOf(url)

/** A slash at the end of an address that programs call changes nothing. */
export const withoutSlash = (url: string): string =>
  url.replace(/^(\/(?:api|a2a|mcp|\.well-known)(?:\/[^?#]*?)?)\/+(?=[?#]|$)/, '$1')

const pathOf = (url: string) => url.replace(/[?#].*$/, '')
