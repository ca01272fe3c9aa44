const AIM_SECONDS = '0.015'

/**
 * Counts the searches that the doors at `url` answer from now on: the share (0 to 1) that took them
 * at most 15 ms, from a call's arrival to its answer.
 */
export async function watchSearches(url: string): Promise<() => Promise<number>> {
  const before = await searchesOf(url)
  return async () => {
    const after = await searchesOf(url)
    return (after.quick - before.quick) / (after.all - before.all)
  }
}

async function searchesOf(url: string): Promise<{ quick: number; all: number }> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const ok = text.split('\n').filter((line) => line.includes('operation="search venues",code="ok"'))
  const sumOf = (name: string, label = '') =>
    ok
      .filter(
        (line) => line.startsWith(`http_call_duration_seconds_${name}{`) && line.includes(label),
      )
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
  return { quick: sumOf('bucket', `le="${AIM_SECONDS}"`), all: sumOf('count') }
}
