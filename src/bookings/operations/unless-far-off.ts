import { setTimeout } from 'node:timers/promises'

/** After this long, the slot is usually held and its venue asked. Doubles after each check. */
const FIRST_LOOK_MS = 1_000

/**
 * The awaited answer, or null as soon as `isUnattended` finds that it depends on a person who is
 * not at the venue at the moment. The decision continues without the caller.
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
    // If the check fails, the caller simply keeps waiting.
    return await Promise.race([answer, untilUnattended().catch(() => answer)])
  } finally {
    settled.abort()
  }
}
