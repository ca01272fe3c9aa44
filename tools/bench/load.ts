/** The result of a workload: calls per second over the runs, and milliseconds per call. */
export type Measured = { perSecond: number; p50: number; p95: number; p99: number; errors: number }

type Run = { times: number[]; seconds: number; errors: number }

/** Makes `calls` calls by `callers` callers; each awaits a response before its next call. */
export const measure = async (
  callers: number,
  calls: number,
  call: (n: number) => Promise<unknown>,
): Promise<Measured> => summed([await run(callers, calls, call)])

export const TURNS = 5

/**
 * Runs several workloads in turn, `calls` of each per turn, so that other load affects all of them
 * alike. A run ends when `settled` resolves, so it includes work after the last answer.
 */
export async function measureInTurn<W extends readonly (() => Promise<unknown>)[]>(
  callers: number,
  calls: number,
  workloads: readonly [...W],
  settled?: () => Promise<unknown>,
): Promise<{ [I in keyof W]: Measured }> {
  const runs: Run[][] = workloads.map(() => [])
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [index, call] of workloads.entries()) {
      runs[index]?.push(await run(callers, calls, call, settled))
    }
  }
  return runs.map(summed) as { [I in keyof W]: Measured }
}

async function run(
  callers: number,
  calls: number,
  call: (n: number) => Promise<unknown>,
  settled?: () => Promise<unknown>,
): Promise<Run> {
  const times: number[] = []
  let next = 0
  let errors = 0
  const begin = performance.now()
  const caller = async () => {
    while (next < calls) {
      const n = next++
      const startedAt = performance.now()
      await call(n).catch((error: unknown) => {
        if (errors++ === 0) console.error(`  first failed call: ${error}`)
      })
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  await settled?.()
  return { times, seconds: (performance.now() - begin) / 1000, errors }
}

function summed(runs: readonly Run[]): Measured {
  const times = runs.flatMap((one) => one.times).sort((a, b) => a - b)
  const sum = (of: (one: Run) => number) => runs.reduce((total, one) => total + of(one), 0)
  return {
    ...summary(
      times,
      sum(({ seconds }) => seconds),
    ),
    errors: sum(({ errors }) => errors),
  }
}

/** Figures from sorted `times` in ms and a duration in seconds. */
export function summary(times: readonly number[], seconds: number): Measured {
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  return {
    perSecond: times.length / seconds,
    p50: at(0.5) ?? 0,
    p95: at(0.95) ?? 0,
    p99: at(0.99) ?? 0,
    errors: 0,
  }
}

export function row(name: string, callers: number, measured: Measured): string {
  const { perSecond, p50, p95, p99, errors } = measured
  const cells = [
    name.padEnd(46),
    `${callers} callers`.padStart(11),
    `${perSecond.toFixed(0)}/s`.padStart(8),
    `p50 ${p50.toFixed(1)} ms`.padStart(13),
    `p95 ${p95.toFixed(1)} ms`.padStart(14),
    `p99 ${p99.toFixed(1)} ms`.padStart(14),
  ]
  return cells.join('  ') + (errors > 0 ? `  ${errors} ERRORS` : '')
}
