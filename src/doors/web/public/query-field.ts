import type { FastifyRequest } from 'fastify'

/** A field of the address as it was written, without spaces around it; the last, if it comes twice, and empty, if never. */
export function queryField(request: FastifyRequest, name: string): string {
  const query = request.query as Record<string, string | string[] | undefined>
  return [query[name]].flat().at(-1)?.trim() ?? ''
}
