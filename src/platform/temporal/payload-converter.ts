import { defaultPayloadConverter, type Payload, type PayloadConverter } from '@temporalio/common'
import { UNDECODABLE } from '../../base/undecodable.ts'

/**
 * Decodes any message without failing. The SDK decodes a signal's input before any handler runs, so
 * an error here would fail the workflow task again and again.
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
