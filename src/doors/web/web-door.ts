import type { FastifyInstance } from 'fastify'
import { errorsPage } from './errors-page.ts'
import { home } from './home.ts'
import { STYLE_PATH, stylesheet } from './page.ts'

/** Pages for people. */
export async function webDoor(scope: FastifyInstance, options: { publicUrl: string }) {
  scope.get(STYLE_PATH, async (_, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(stylesheet),
  )
  await scope.register(home, options)
  await scope.register(errorsPage)
}
