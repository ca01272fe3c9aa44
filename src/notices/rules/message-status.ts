/** What is known about a message, in the order in which it happens; `failed` ends it. */
export const messageStatuses = ['started', 'sent', 'delivered', 'read', 'failed'] as const
export type MessageStatus = (typeof messageStatuses)[number]

const order: readonly MessageStatus[] = ['started', 'sent', 'delivered', 'read']

/** Whether a message has come at least this far. */
export const hasReached = (status: MessageStatus, goal: MessageStatus): boolean =>
  order.indexOf(status) >= order.indexOf(goal)

/**
 * Whether a status that is reported now is news: reports come late, repeated and out of order. What
 * was delivered has not failed, even if the failure was reported before.
 */
export function isNews(from: MessageStatus, to: MessageStatus): boolean {
  if (to === 'failed') return from === 'started' || from === 'sent'
  if (from === 'failed') return to === 'delivered' || to === 'read'
  return order.indexOf(to) > order.indexOf(from)
}
