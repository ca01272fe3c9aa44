import { ApplicationFailure } from '@temporalio/common'

const HANDED_OVER = 'HandedOver'

/** Ends an attempt of an activity whose worker stops; another worker goes on. */
export const handOver = () => ApplicationFailure.retryable('its worker stops', HANDED_OVER)

/** Whether an attempt ended only because its worker stops. */
export const isHandedOver = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.type === HANDED_OVER
