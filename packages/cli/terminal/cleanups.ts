/** Cleanups that run on an interrupt, last first. */
export type Cleanups = {
  /** Call the result when it is no longer needed. */
  add(cleanup: () => void): () => void
  runAll(): void
}

export function createCleanups(): Cleanups {
  const cleanups = new Set<() => void>()
  return {
    add(cleanup) {
      cleanups.add(cleanup)
      return () => void cleanups.delete(cleanup)
    },
    runAll() {
      for (const cleanup of [...cleanups].reverse()) cleanup()
    },
  }
}
