import type { FastifyInstance } from 'fastify'
import { refuse } from '../contract/rules/errors.ts'

/** Notes which methods each address of the scope takes, from now on. */
export function noteMethods(scope: FastifyInstance): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>()
  scope.addHook('onRoute', ({ url, method }) => {
    const taken = methods.get(url) ?? new Set()
    for (const name of [method].flat()) taken.add(name)
    methods.set(url, taken)
  })
  return methods
}

/** Every noted address answers its other methods with `method_not_allowed` and `Allow`, in the words of the scope. */
export function refuseOtherMethods(scope: FastifyInstance, methods: Map<string, Set<string>>) {
  for (const [url, taken] of [...methods]) {
    const allow = [...taken].join(', ')
    const others = scope.supportedMethods.filter((method) => !taken.has(method))
    if (others.length === 0) continue
    scope.route({
      url,
      method: others,
      onRequest: async (_, reply) => {
        reply.header('allow', allow)
        throw refuse('method_not_allowed')
      },
      handler: async () => {},
    })
  }
}
