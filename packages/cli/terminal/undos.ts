/** Cleanups that run on an interrupt, last first. */
export type Undos = {
  /** Call the result when it is no longer needed. */
  add(undo: () => void): () => void
  runAll(): void
}

/** None yet. */
export function createUndos(): Undos {
  const undos = new Set<() => void>()
  return {
    add(undo) {
      undos.add(undo)
      return () => void undos.delete(undo)
    },
    runAll() {
      for (const undo of [...undos].reverse()) undo()
    },
  }
}
