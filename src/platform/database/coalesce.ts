type Waiting<K, V> = { key: K; resolve: (value: V) => void; reject: (error: unknown) => void }

/**
 * Batches calls: keys from the same turn of the event loop, or that arrive while `atOnce` batches
 * run, go to `runBatch` together. `runBatch` must return values in the order of the keys.
 */
export function coalesce<K, V>(
  runBatch: (keys: K[]) => Promise<V[]>,
  atOnce: number,
): (key: K) => Promise<V> {
  let waiting: Waiting<K, V>[] = []
  let running = 0
  let scheduled = false

  const start = async () => {
    scheduled = false
    const batch = waiting
    waiting = []
    running += 1
    try {
      const values = await runBatch(batch.map(({ key }) => key))
      batch.forEach(({ resolve }, index) => {
        resolve(values[index] as V)
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      running -= 1
      schedule()
    }
  }

  const schedule = () => {
    if (scheduled || running >= atOnce || waiting.length === 0) return
    scheduled = true
    setImmediate(start)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      schedule()
    })
}

/** Coalesces by name, one batch per name at a time; forgets names for which nobody is waiting. */
export function coalesceBy<K, V>(
  nameOf: (key: K) => string,
  runBatch: (keys: K[]) => Promise<V[]>,
): (key: K) => Promise<V> {
  const busy = new Map<string, { waiting: number; ask: (key: K) => Promise<V> }>()

  return async (key) => {
    const name = nameOf(key)
    const entry = busy.get(name) ?? { waiting: 0, ask: coalesce(runBatch, 1) }
    busy.set(name, entry)
    entry.waiting += 1
    try {
      return await entry.ask(key)
    } finally {
      entry.waiting -= 1
      if (entry.waiting === 0) busy.delete(name)
    }
  }
}
