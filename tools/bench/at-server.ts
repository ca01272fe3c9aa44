const GOAL_SECONDS = '0.015'

/**
 * Starts measuring searches; returns the share (0 to 1) served within 15 ms, from request to
 * response.
 */
export async function watchSearches(url: string): Promise<() => Promise<number>> {
  const before = await countSearches(url)
  return async () => {
    const after = await countSearches(url)
    return (after.fast - before.fast) / (after.all - before.all)
  }
}

async function countSearches(url: string): Promise<{ fast: number; all: number }> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const ok = text.split('\n').filter((line) => line.includes('operation="search venues",code="ok"'))
  const sumOf = (name: string, label = '') =>
    ok
      .filter(
        (line) => line.startsWith(`http_call_duration_seconds_${name}{`) && line.includes(label),
      )
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
  return { fast: sumOf('bucket', `le="${GOAL_SECONDS}"`), all: sumOf('count') }
}
