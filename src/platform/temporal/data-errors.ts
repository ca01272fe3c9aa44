import { ApplicationFailure } from '@temporalio/common'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { isDataError } from '../database/data-error.ts'

/** Stops the retries of an activity after an error that the next attempt would only repeat. */
export const giveUpOnDataErrors: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input)
      } catch (error) {
        if (!isDataError(error)) throw error
        const { message } = error as Error
        throw ApplicationFailure.create({ message, type: 'DataError', nonRetryable: true })
      }
    },
  },
})
