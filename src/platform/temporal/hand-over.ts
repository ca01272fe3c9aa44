import { ApplicationFailure } from '@temporalio/common'

const HANDED_OVER = 'HandedOver'

/**
 * Ends an activity attempt whose worker is stopping, so that another worker takes over. Marked as
 * benign, so that the SDK logs no warning.
 */
export const handOver = () =>
  ApplicationFailure.create({
    message: 'its worker stops',
    type: HANDED_OVER,
    category: 'BENIGN',
  })

/** Whether an attempt ended only because its worker is stopping. */
export const isHandedOver = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.type === HANDED_OVER
