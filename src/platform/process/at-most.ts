/** Processes all items with limited concurrency. Throws the first failure after the last item. */
export async function atMost<T>(
  count: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const remaining = items.values()
  const failures: unknown[] = []
  const lane = async () => {
    for (const item of remaining) {
      await work(item).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: count }, lane))
  if (failures.length > 0) throw failures[0]
}
