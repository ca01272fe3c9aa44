import type { FastifyRequest } from 'fastify'

const WEIGHT = /;\s*q=([\d.]+)/

/** Which of the media types the caller likes best (RFC 9110 section 12.5.1), the first of them where it does not mind. */
export function preferred<T extends string>(
  request: FastifyRequest,
  offered: readonly [T, ...T[]],
): T {
  const ranges = (request.headers.accept ?? '*/*').split(',').map((part) => {
    const [range = ''] = part.split(';', 1)
    return { range: range.trim().toLowerCase(), weight: Number(WEIGHT.exec(part)?.[1] ?? 1) }
  })
  const weightOf = (type: T) => {
    const matching = [type, `${type.split('/', 1)[0]}/*`, '*/*']
    const found = matching.flatMap((one) => ranges.filter(({ range }) => range === one))[0]
    return found?.weight ?? 0
  }
  const [first, ...others] = offered
  return others.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best), first)
}
