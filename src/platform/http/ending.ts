import type { FailureKind } from '../../base/http-failures.ts'

/** `kind` returns the failure that cut the step short, if any. */
export type Ending = { signal: AbortSignal; kind(): FailureKind | undefined }

/** Ends a step as `late` after `deadlineMs`, or as `aborted` when one of the signals aborts. */
export async function withEnding<T>(
  late: FailureKind,
  deadlineMs: number,
  signals: readonly (AbortSignal | undefined)[],
  step: (ending: Ending) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  let kind: FailureKind | undefined
  const end = (why: FailureKind) => {
    kind ??= why
    controller.abort()
  }
  const abort = () => end('aborted')
  const timer = setTimeout(() => end(late), deadlineMs)
  for (const signal of signals) {
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
  }
  try {
    return await step({ signal: controller.signal, kind: () => kind })
  } finally {
    clearTimeout(timer)
    for (const signal of signals) signal?.removeEventListener('abort', abort)
  }
}

/** The work's outcome, or the signal's reason if that comes first; the work itself continues. */
export function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
