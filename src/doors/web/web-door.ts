import type { FastifyInstance } from 'fastify'
import { assets } from './assets.ts'
import { errorsPage } from './errors-page.ts'
import { home } from './home.ts'

/** Pages for people. */
export async function webDoor(scope: FastifyInstance, options: { publicUrl: string }) {
  await scope.register(assets)
  await scope.register(home, options)
  await scope.register(errorsPage)
}
