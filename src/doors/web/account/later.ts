import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../../contract/rules/errors.ts'
import { type Log, loggable } from '../../../platform/telemetry/log.ts'

/** Does something after the answer, which must not tell by its time what was done; `what` is said in the log when it fails. */
export type Later = (what: string, work: () => Promise<void>) => void

/** What was begun is finished before the scope is closed. */
export function createLater(scope: FastifyInstance, log: Log): Later {
  const begun = new Set<Promise<void>>()
  scope.addHook('onClose', async () => {
    await Promise.all(begun)
  })
  return (what, work) => {
    const done = work()
      .catch((error: unknown) => {
        if (error instanceof Refusal) log.info({ code: error.data.code }, what)
        else log.warn({ error: loggable(error) }, what)
      })
      .finally(() => begun.delete(done))
    begun.add(done)
  }
}
