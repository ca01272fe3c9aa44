import { setTimeout } from 'node:timers/promises'

/** By then the slot is usually held and its venue asked; each later look takes twice as long. */
const FIRST_LOOK_MS = 1_000

/**
 * The answer that is waited for; or null as soon as a look finds that `isUnattended`: that it comes
 * from a person who is not there now. The decision goes on without the caller.
 */
export async function unlessUnattended<A>(
  asked: Promise<A | null>,
  isUnattended: () => Promise<boolean>,
): Promise<A | null> {
  const answered = new AbortController()
  const { signal } = answered
  const untilUnattended = async (): Promise<null> => {
    for (let ms = FIRST_LOOK_MS; ; ms *= 2) {
      await setTimeout(ms, undefined, { signal })
      if (await isUnattended()) return null
    }
  }
  try {
    // Looking is best effort: if it fails, the caller waits on.
    return await Promise.race([asked, untilUnattended().catch(() => asked)])
  } finally {
    answered.abort()
  }
}
