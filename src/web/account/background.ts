import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../base/errors.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'

/**
 * Runs work after the response, so that its duration reveals nothing about an account. Logs
 * `failure` if the work fails. Closing the scope waits for running work.
 */
export function createBackground(scope: FastifyInstance, log: Log) {
  const running = new Set<Promise<void>>()
  scope.addHook('onClose', async () => {
    await Promise.all(running)
  })
  return (failure: string, work: () => Promise<void>): void => {
    const task = work()
      .catch((error: unknown) => {
        if (error instanceof Refusal) log.info({ code: error.data.code }, failure)
        else log.warn({ error: loggable(error) }, failure)
      })
      .finally(() => running.delete(task))
    running.add(task)
  }
}
