import type { FastifyInstance } from 'fastify'
import type { Config } from '../../../config.ts'
import type { Guards } from '../../../guards/guards.ts'
import type { Services } from '../../../operations/define.ts'
import type { Log } from '../../../telemetry/log.ts'
import { guardPages } from '../dashboard/dashboard-door.ts'
import { signOutRoute } from './sign-out.ts'

/** What the pages around signing in may use. */
export type AccountDeps = { services: Services; guards: Guards; log: Log; config: Config }

const pages = [signOutRoute]

/** The pages that open and end sessions. */
export async function accountDoor(scope: FastifyInstance, deps: AccountDeps) {
  guardPages(scope, deps)
  for (const page of pages) await scope.register(page, deps)
}
