/**
 * Awaits statements that travel together: all are sent before the first is answered, and PostgreSQL
 * runs them in this order. Each promise comes from a function that sends its first statement at
 * once. When all have ended, throws the first error in this order, if any.
 */
export async function together<T extends readonly unknown[]>(
  ...queries: { [I in keyof T]: Promise<T[I]> }
): Promise<T> {
  const results: PromiseSettledResult<unknown>[] = await Promise.allSettled(queries)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  }) as unknown as T
}
