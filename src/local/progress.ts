const QUIET_MS = 2_000
const EVERY_MS = 5_000

/**
 * Awaits `work` and says on stderr what is going on once that takes over two seconds, then every
 * five with the time elapsed. `news` adds what the work itself can say.
 */
export async function withProgress<T>(
  label: string,
  work: Promise<T>,
  news: () => string = () => '',
): Promise<T> {
  const begin = performance.now()
  const say = () => {
    const seconds = Math.round((performance.now() - begin) / 1000)
    console.error([`${label} … ${seconds} s`, news()].filter(Boolean).join(', '))
  }
  let every: NodeJS.Timeout | undefined
  const first = setTimeout(() => {
    say()
    every = setInterval(say, EVERY_MS)
  }, QUIET_MS)
  try {
    return await work
  } finally {
    clearTimeout(first)
    clearInterval(every)
  }
}
