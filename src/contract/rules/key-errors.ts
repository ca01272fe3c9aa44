import { refusal } from './error-spec.ts'

/** What can be wrong with a key, with what its account may do, and with changing either. */
export const keyErrors = {
  unauthenticated: refusal(
    401,
    'A valid API key is needed',
    'Send `Authorization: Bearer <API_KEY>` with a key that is neither revoked nor expired.',
  ),
  plan_required: refusal(
    403,
    'This needs the pro tier',
    'Booking needs a key on the pro tier. Move the account to pro, then repeat the request.',
  ),
  scope_required: refusal(
    403,
    'This key lacks a scope',
    'Use a key of the account that has `required_scope`. Scopes are given when a key is made, and a key gives only those that it has.',
  ),
  upgrade_by_operator: refusal(
    403,
    'Here the operator moves accounts to pro',
    'Ask the operator of this network and name the account in `account_id`.',
  ),
  key_not_found: refusal(
    404,
    'No such key in this account',
    'Use the `id` of a key that `GET /api/keys` lists, not the raw key.',
  ),
  key_ended: refusal(
    409,
    'The key is revoked or expired',
    'It stays so. Make another: POST /api/keys.',
  ),
  key_replaced: refusal(
    409,
    'The key has been rolled already',
    'Use its successor, whose id is in `replaced_by`, or roll that one.',
  ),
  key_limit: refusal(
    409,
    'Too many keys are valid at the same time',
    'Revoke a key that you no longer need, then send it again.',
  ),
  quota_exceeded: refusal(
    429,
    'The daily quota is used up',
    'Wait until the quota renews (see Retry-After), or move the account to pro.',
    true,
  ),
} as const
