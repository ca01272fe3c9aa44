import { setTimeout } from 'node:timers/promises'

/** By then the slot is usually held and its venue asked; later looks are twice as far apart. */
const FIRST_LOOK_MS = 1_000

/**
 * The awaited answer; or null as soon as a look finds `isUnattended`: the answer depends on a
 * person who is not there now. The decision continues without the caller.
 */
export async function unlessUnattended<A>(
  answer: Promise<A | null>,
  isUnattended: () => Promise<boolean>,
): Promise<A | null> {
  const settled = new AbortController()
  const { signal } = settled
  const untilUnattended = async (): Promise<null> => {
    for (let ms = FIRST_LOOK_MS; ; ms *= 2) {
      await setTimeout(ms, undefined, { signal })
      if (await isUnattended()) return null
    }
  }
  try {
    // Looking is best effort: after a failure the caller waits on.
    return await Promise.race([answer, untilUnattended().catch(() => answer)])
  } finally {
    settled.abort()
  }
}
