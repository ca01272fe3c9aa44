import { setImmediate } from 'node:timers/promises'
import type { RunOperation } from '../run-operation.ts'

/** Keeps count of the calls whose answers have yet to be written to their streams. */
export function createCallsInProgress(runOperation: RunOperation) {
  const calls = new Set<Promise<unknown>>()
  const run: RunOperation = (call) => {
    const outcome = runOperation(call)
    calls.add(outcome)
    void outcome.finally(() => calls.delete(outcome))
    return outcome
  }
  return {
    run,
    /** Resolves when every call has been answered; the SDK writes an answer in the turn in which it is known. */
    async answered(): Promise<void> {
      while (calls.size > 0) await Promise.all(calls)
      await setImmediate()
    },
  }
}
