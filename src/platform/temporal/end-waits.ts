import type { Client } from '@temporalio/client'

/**
 * Runs requests to the server so that they are cancelled when `stop` is aborted. Each gets a signal of its own, as the client
 * never takes its listener off a signal and would keep every request that it ever made.
 */
export function endWaitsOn(stop: AbortSignal, client: Client) {
  const waits = new Set<AbortController>()
  stop.addEventListener('abort', () => {
    for (const wait of waits) wait.abort()
  })
  return async <T>(call: () => Promise<T>): Promise<T> => {
    const wait = new AbortController()
    waits.add(wait)
    try {
      return await client.withAbortSignal(wait.signal, call)
    } finally {
      waits.delete(wait)
    }
  }
}
