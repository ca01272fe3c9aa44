/** Only active endpoints receive deliveries; others hold them. */
export const endpointStatuses = ['unverified', 'active', 'paused', 'disabled'] as const
export type EndpointStatus = (typeof endpointStatuses)[number]

/** `held` is not stored: it means a pending delivery of an endpoint that is not active. */
export const shownDeliveryStatuses = [
  'pending',
  'sending',
  'delivered',
  'failed',
  'discarded',
  'expired',
  'held',
] as const
export type ShownDeliveryStatus = (typeof shownDeliveryStatuses)[number]

/** Status filters of lists. `failing`: pending after a failed attempt. */
export const deliveryFilters = [...shownDeliveryStatuses, 'failing'] as const
export type DeliveryStatusFilter = (typeof deliveryFilters)[number]

/** `unknown`: the sender crashed before recording the outcome. */
export const attemptStatuses = ['sending', 'succeeded', 'failed', 'unknown'] as const
export type AttemptStatus = (typeof attemptStatuses)[number]

/** What triggers an attempt. */
export const attemptCauses = ['schedule', 'probe', 'replay', 'retry', 'test', 'challenge'] as const
export type AttemptCause = (typeof attemptCauses)[number]

export const replayStatuses = ['running', 'paused', 'cancelled', 'completed'] as const
export type ReplayStatus = (typeof replayStatuses)[number]

/** `expiring` keys still sign alongside the current one until they end. */
export const signingKeyStates = ['staged', 'current', 'expiring'] as const
