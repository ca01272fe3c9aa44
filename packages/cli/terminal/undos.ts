/** What was begun on the screen and is undone when the program is interrupted, the last first. */
export type Undos = {
  /** Call the answer when it is over. */
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
