/** Resolves to true on news about the subject; to false after `ms` or when the process stops. */
export type WaitFor<S> = (subject: S, ms: number) => Promise<boolean>

type Wait<S> = { subject: S; until: number; end: (hasNews: boolean) => void }

/**
 * Lets any number of callers wait for news with one query every `everyMs`, or none if nobody waits.
 * `look` receives all subjects and says which have news. A wait may last `everyMs` longer.
 */
export function createPoller<S>({
  everyMs,
  look,
  stopping,
}: {
  everyMs: number
  look: (subjects: S[]) => Promise<(subject: S) => boolean>
  stopping: AbortSignal
}): WaitFor<S> {
  const waits = new Set<Wait<S>>()
  let isPolling = false

  const end = (hasNews: boolean, which: (wait: Wait<S>) => boolean) => {
    for (const wait of [...waits].filter(which)) {
      waits.delete(wait)
      wait.end(hasNews)
    }
  }
  stopping.addEventListener('abort', () => end(false, () => true), { once: true })

  const poll = async () => {
    // Without a database there is no news; the caller's next read reports the failure.
    const hasNews = await look([...waits].map(({ subject }) => subject)).catch(() => () => false)
    const now = performance.now()
    end(true, ({ subject }) => hasNews(subject))
    end(false, ({ until }) => until <= now)
    isPolling = waits.size > 0
    if (isPolling) setTimeout(poll, everyMs)
  }

  return (subject, ms) =>
    new Promise((resolve) => {
      if (stopping.aborted) return resolve(false)
      waits.add({ subject, until: performance.now() + ms, end: resolve })
      if (isPolling) return
      isPolling = true
      setTimeout(poll, everyMs)
    })
}
