import { z } from 'zod'
import * as fields from './endpoint-fields.ts'
import { addSecret, secretInput, secretOutput } from './signing-secrets.ts'
import { webhookOperation } from './webhook-operation.ts'

export const rotateSecret = webhookOperation({
  name: 'rotate secret',
  audit: 'endpoint.secret_rotated',
  summary: 'Rotate the signing secret',
  description:
    'Creates a secret, or takes yours, and shows it once. For the overlap both secrets sign ' +
    'every request, newest first, so a receiver with either can verify. A `staged` secret ' +
    'signs nothing until you activate it, which first proves that your receiver has it. After ' +
    'a rotation by the network’s operator, the first call shows that secret instead of making ' +
    'another, unless you bring your own.',
  input: secretInput.extend({
    overlap_hours: fields.overlapHours,
    staged: z
      .boolean()
      .default(false)
      .describe('Signs only test events until you activate it; replaces an earlier staged one'),
  }),
  output: secretOutput.extend({ next: fields.next.optional() }),
  errors: ['endpoint_not_found', 'secret_in_use', 'too_many_secrets', 'idempotency_mismatch'],
  async run(ctx, request) {
    const { id, staged: isStaged, overlap_hours: overlapHours } = request
    const answer = await addSecret(ctx, request, isStaged ? { staged: true } : { overlapHours })
    const next =
      'Give the secret to your receiver next to the old one, then ' +
      `POST /api/webhooks/${id}/activate.`
    return { ...answer, ...(isStaged && !answer.replayed && { next }) }
  },
})
