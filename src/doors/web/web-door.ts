import type { FastifyInstance } from 'fastify'
import { assets } from './assets.ts'
import { type PublicDoor, publicDoor } from './public/public-door.ts'

/** Pages for people, and what programs read beside them. */
export async function webDoor(scope: FastifyInstance, deps: PublicDoor) {
  await scope.register(assets)
  await scope.register(publicDoor, deps)
}
