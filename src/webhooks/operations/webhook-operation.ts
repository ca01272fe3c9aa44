import type { z } from 'zod'
import { defineOperation, type Operation } from '../../contract/operation.ts'

/** An operation for keys with the scope `webhooks`. */
export const webhookOperation = <I extends z.ZodObject, O extends z.ZodObject>(
  operation: Omit<Operation<I, O>, 'tier' | 'scope'>,
): Operation<I, O> => defineOperation({ ...operation, tier: 'free', scope: 'webhooks' })
