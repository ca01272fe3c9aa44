import { setTimeout } from 'node:timers/promises'

/** By then the slot is usually held and its venue asked; each later look takes twice as long. */
const FIRST_LOOK_MS = 1_000

/**
 * The answer that is waited for; or null as soon as a look finds that `isFarOff`: that it comes
 * from a person who is not there now. The decision goes on without the caller.
 */
export async function unlessFarOff<A>(
  asked: Promise<A | null>,
  isFarOff: () => Promise<boolean>,
): Promise<A | null> {
  const answered = new AbortController()
  const { signal } = answered
  const untilFarOff = async (): Promise<null> => {
    for (let ms = FIRST_LOOK_MS; ; ms *= 2) {
      await setTimeout(ms, undefined, { signal })
      if (await isFarOff()) return null
    }
  }
  try {
    // Looking is best effort: if it fails, the caller waits on.
    return await Promise.race([asked, untilFarOff().catch(() => asked)])
  } finally {
    answered.abort()
  }
}
