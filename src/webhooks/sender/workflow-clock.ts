import { notBefore, type OnClock } from '../../base/account-time.ts'

/**
 * Workflow time as it advances during an activity; the current time if a retry has an old `at`. A
 * test clock keeps the time it had when the activity started.
 */
export function workflowClock(account: OnClock, at: number): () => Date {
  const base = notBefore(account, at).getTime() - performance.now()
  return () => new Date(base + performance.now())
}
