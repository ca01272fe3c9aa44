import { notBefore, type OnClock } from '../../base/account-time.ts'

/**
 * Workflow time that continues in an activity; the present if a retry has an old `at`. A test clock
 * stays at its time of the activity's start.
 */
export function workflowClock(account: OnClock, at: number): () => Date {
  const base = notBefore(account, at).getTime() - performance.now()
  return () => new Date(base + performance.now())
}
