import { z } from 'zod'
import { HOUR_MS } from '../../contract/rules/durations.ts'
import { deleteStagedKey, endCurrentKey } from '../store/signing-keys.ts'
import * as fields from './endpoint-fields.ts'
import { addSecret, refuseTooMany, secretInput, secretOutput } from './signing-secrets.ts'
import { webhookOperation } from './webhook-operation.ts'

export const rotateSecret = webhookOperation({
  name: 'rotate secret',
  summary: 'Rotate the signing secret',
  description:
    'Creates a secret, or takes yours, and shows it once. For the overlap both secrets sign ' +
    'every request, newest first, so a receiver with either can verify. A `staged` secret ' +
    'signs nothing until you activate it, which first proves that your receiver has it.',
  input: secretInput.extend({
    overlap_hours: fields.overlapHours,
    staged: z
      .boolean()
      .default(false)
      .describe('Signs only test events until you activate it; replaces a secret staged before'),
  }),
  output: secretOutput.extend({ next: fields.next.optional() }),
  errors: ['endpoint_not_found', 'secret_in_use', 'too_many_secrets', 'idempotency_mismatch'],
  async run(ctx, asked) {
    const { id, staged: isStaged, overlap_hours: hours } = asked
    const rotated = await addSecret(ctx, asked, {
      operation: 'rotation',
      isStaged,
      abortsRequests: false,
      prepare(tx, keys, at) {
        if (isStaged) return deleteStagedKey(tx, id)
        refuseTooMany(keys, hours)
        return endCurrentKey(tx, id, new Date(at.getTime() + hours * HOUR_MS))
      },
    })
    const next =
      'Give the secret to your receiver beside the old one, then ' +
      `POST /api/webhooks/${id}/activate.`
    return { ...rotated, ...(isStaged && !rotated.replayed && { next }) }
  },
})
