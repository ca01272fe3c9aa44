import { ApplicationFailure } from '@temporalio/common'

const HANDED_OVER = 'HandedOver'

/**
 * Ends an attempt of an activity whose worker stops; another worker continues. Benign, so that the
 * SDK writes no warning.
 */
export const handOver = () =>
  ApplicationFailure.create({
    message: 'its worker stops',
    type: HANDED_OVER,
    category: 'BENIGN',
  })

/** Whether an attempt ended only because its worker stops. */
export const isHandedOver = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.type === HANDED_OVER
