/** Does the work of each item, so many at a time. The first failure is thrown at the end. */
export async function atMost<T>(
  count: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = [...items].reverse()
  const lane = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item)
  }
  const lanes = await Promise.allSettled(Array.from({ length: count }, lane))
  for (const one of lanes) if (one.status === 'rejected') throw one.reason
}
