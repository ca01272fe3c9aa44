import type { FastifyInstance } from 'fastify'
import { refuse } from '../contract/rules/errors.ts'

/** Records the methods of each address that the scope registers from now on. */
export function noteMethods(scope: FastifyInstance): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>()
  scope.addHook('onRoute', ({ url, method }) => {
    methods.set(url, new Set([...(methods.get(url) ?? []), ...[method].flat()]))
  })
  return methods
}

/** Answers other methods at the recorded addresses with `method_not_allowed` and `Allow`. */
export function refuseOtherMethods(scope: FastifyInstance, methods: Map<string, Set<string>>) {
  for (const [url, allowed] of [...methods]) {
    const others = scope.supportedMethods.filter((method) => !allowed.has(method))
    if (others.length === 0) continue
    scope.route({
      url,
      method: others,
      onRequest: async ({ method }, reply) => {
        reply.header('allow', [...allowed].join(', '))
        const methods = [...allowed]
        const what = `This address takes ${methods.join(', ')}, not ${method}.`
        throw refuse('method_not_allowed', what, { allowed_methods: methods })
      },
      handler: async () => {},
    })
  }
}
