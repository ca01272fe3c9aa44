import type { FastifyInstance } from 'fastify'
import { refuse } from '../../base/errors.ts'

/** From now on, records the methods of each address that the scope registers. */
export function noteMethods(scope: FastifyInstance): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>()
  scope.addHook('onRoute', ({ url, method }) => {
    methods.set(url, new Set([...(methods.get(url) ?? []), ...[method].flat()]))
  })
  return methods
}

/**
 * Refuses other methods at the recorded addresses with `method_not_allowed` and `Allow`; `nearest`
 * is the route that does what the method usually means.
 */
export function refuseOtherMethods(scope: FastifyInstance, methods: Map<string, Set<string>>) {
  // A copy, because the routes registered below are recorded too.
  const ownMethods = new Map(methods)
  for (const [url, allowed] of ownMethods) {
    const others = scope.supportedMethods.filter((method) => !allowed.has(method))
    if (others.length === 0) continue
    const allowed_methods = [...allowed]
    const list = allowed_methods.join(', ')
    scope.route({
      url,
      method: others,
      onRequest: async ({ method }, reply) => {
        reply.header('allow', list)
        const nearest = nearestRoute(method, url, ownMethods)
        const instead = nearest ? ` Use \`${nearest}\`.` : ''
        const what = `This address takes ${list}, not ${method}.${instead}`
        throw refuse('method_not_allowed', what, {
          allowed_methods,
          ...(nearest && { nearest }),
        })
      },
      handler: async () => {},
    })
  }
}

/** The names of operations that end something permanently, as DELETE would. */
const endings = ['cancel', 'release', 'revoke']

function nearestRoute(method: string, url: string, methods: Map<string, Set<string>>) {
  const routes =
    method === 'DELETE'
      ? endings.map((ending) => ['POST', `${url}/${ending}`] as const)
      : ['PATCH', 'POST', 'GET'].map((other) => [other, url] as const)
  const route = routes.find(([other, path]) => methods.get(path)?.has(other))
  return route?.join(' ').replaceAll(/:(\w+)/g, '{$1}')
}
