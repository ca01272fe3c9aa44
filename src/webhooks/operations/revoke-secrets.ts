import { addSecret, secretInput, secretOutput } from './signing-secrets.ts'
import { webhookOperation } from './webhook-operation.ts'

export const revokeSecrets = webhookOperation({
  name: 'revoke secrets',
  audit: 'endpoint.secrets_revoked',
  summary: 'Revoke every secret at once',
  description:
    'For a leaked secret: erases all secrets of the endpoint, a staged one too; a new one ' +
    'signs alone from now on. Requests in flight are aborted and sent again with the new ' +
    'signature. Your receiver rejects deliveries until it has the new secret; they are retried.',
  input: secretInput,
  output: secretOutput,
  errors: ['endpoint_not_found', 'secret_in_use', 'idempotency_mismatch'],
  run: (ctx, request) => addSecret(ctx, request, { revoke: true }),
})
