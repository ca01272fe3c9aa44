import type { z } from 'zod'
import { type Definition, defineOperation, type Operation } from '../../contract/operation.ts'
import type { WebhookServices } from '../engine.ts'

/** An operation for keys with the scope `webhooks`. */
export const webhookOperation = <I extends z.ZodObject, O extends z.ZodObject>(
  operation: Omit<Definition<Operation<I, O, WebhookServices>>, 'scope'>,
): Operation<I, O, WebhookServices> => defineOperation({ ...operation, scope: 'webhooks' })
