import { setTimeout } from 'node:timers/promises'

/** By then the slot is held and its venue asked, unless the machine is very busy. */
const ASKED_MS = 1_000

/**
 * The answer that is waited for; or null after a second if `isFarOff` says that it comes from a
 * person who is not there now. Whoever decides goes on without the caller.
 */
export async function unlessFarOff<A>(
  asked: Promise<A | null>,
  isFarOff: () => Promise<boolean>,
): Promise<A | null> {
  const answered = new AbortController()
  const looked = setTimeout(ASKED_MS, undefined, { signal: answered.signal })
    .then(isFarOff)
    // Best effort: the caller waits on.
    .then(
      (isFar) => (isFar ? null : asked),
      () => asked,
    )
  try {
    return await Promise.race([asked, looked])
  } finally {
    answered.abort()
  }
}
