import type { FastifyInstance } from 'fastify'

/**
 * Redirects a GET for a form's address to the nearest page above it: after a form was answered in
 * place, a browser may ask for its address again. `methods` are those of the scope's routes.
 */
export function redirectFormGetToPage(
  scope: FastifyInstance,
  methods: ReadonlyMap<string, Set<string>>,
): void {
  for (const [route, taken] of [...methods]) {
    if (taken.has('GET')) continue
    const segments = route.split('/')
    const isPage = (count: number) => methods.get(segments.slice(0, count).join('/'))?.has('GET')
    let count = segments.length - 1
    while (count > 2 && !isPage(count)) count -= 1
    scope.get(route, async ({ url }, reply) => {
      const path = url.replace(/[?#].*$/, '')
      return reply.redirect(path.split('/').slice(0, count).join('/'), 303)
    })
  }
}
