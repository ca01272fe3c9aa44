import type { FastifyInstance } from 'fastify'

/**
 * Addresses that only take forms lead back to the page above them: the answer to a form stands there in a browser, where it may be asked
 * for again. `methods` are those of the scope's addresses.
 */
export function redirectFormGetToPage(
  scope: FastifyInstance,
  methods: ReadonlyMap<string, Set<string>>,
): void {
  for (const [route, taken] of [...methods]) {
    if (taken.has('GET')) continue
    const steps = stepsToPage(route, methods)
    scope.get(route, async ({ url }, reply) => {
      const path = url.replace(/[?#].*$/, '')
      return reply.redirect(path.split('/').slice(0, -steps).join('/'), 303)
    })
  }
}

/** How many segments the next page above is away. */
function stepsToPage(route: string, methods: ReadonlyMap<string, Set<string>>): number {
  const segments = route.split('/')
  const isPage = (count: number) => methods.get(segments.slice(0, count).join('/'))?.has('GET')
  let count = segments.length - 1
  while (count > 2 && !isPage(count)) count -= 1
  return segments.length - count
}
