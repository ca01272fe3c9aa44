import type { Worker } from '@temporalio/worker'

/** For every worker: running activities get 25 s to end, then they are cancelled; 3 s later they are abandoned. */
export const shutdownGrace = { shutdownGraceTime: '25s', shutdownForceTime: '28s' } as const

/**
 * Runs the workers of a process. `failed` rejects when one stops by itself; `stop` ends them together: none polls any more, and
 * it resolves when the last has let its activities end.
 */
export function runWorkers(workers: Worker[]): { failed: Promise<never>; stop(): Promise<void> } {
  const running = workers.map((worker) => worker.run())
  const failed = new Promise<never>((_, fail) => {
    for (const run of running) run.catch(fail)
  })
  failed.catch(() => {})
  return {
    failed,
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
      await Promise.allSettled(running)
    },
  }
}
