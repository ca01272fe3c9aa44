import { defaultPayloadConverter, type Payload, type PayloadConverter } from '@temporalio/common'
import { UNDECODABLE } from '../../base/undecodable.ts'

/**
 * Decodes any message. The SDK decodes the input of a signal before any handler, so that an error
 * here would fail the task of its workflow again and again.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value) => defaultPayloadConverter.toPayload(value),
  fromPayload<T>(payload: Payload): T {
    try {
      return defaultPayloadConverter.fromPayload(payload)
    } catch {
      return UNDECODABLE as T
    }
  },
}
