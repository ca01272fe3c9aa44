import { refusal } from './error-spec.ts'

/** Errors of webhook endpoints and their secrets. */
export const endpointErrors = {
  endpoint_not_found: refusal(
    404,
    'No such endpoint in this account',
    'Use the endpoint id that `POST /api/webhooks` returned, with a key of the same account.',
  ),
  endpoint_limit: refusal(
    409,
    'Too many endpoints',
    'Delete an endpoint that you no longer need, then send this again.',
  ),
  endpoint_not_active: refusal(
    409,
    'The endpoint is not active',
    'Activate it first: verify it if it is `unverified`, resume it if it is `paused`, enable ' +
      'it if it is `disabled`.',
  ),
  endpoint_disabled: refusal(
    409,
    'The endpoint is disabled',
    'Enable it first: POST /api/webhooks/{id}/enable.',
  ),
  url_not_allowed: refusal(
    422,
    'The network cannot deliver to this URL',
    'Send an https:// URL that is reachable from the public internet.',
  ),
  wrong_challenge: refusal(
    422,
    'This is not the challenge that was sent',
    'Send the text in `data.challenge` of the newest `endpoint.challenge` request that this ' +
      'URL received.',
  ),
  secret_in_use: refusal(
    409,
    'The endpoint has this secret already',
    'Send another secret, or omit `secret` to have one created.',
  ),
  too_many_secrets: refusal(
    409,
    'Too many secrets are valid at the same time',
    'Wait until one of `keys` has ended, or revoke: that ends all of them at once.',
  ),
  no_staged_secret: refusal(
    409,
    'There is no staged secret',
    'Stage one first: POST /api/webhooks/{id}/rotate with `staged: true`.',
  ),
  not_proved: refusal(
    409,
    'The receiver has not accepted the staged secret',
    'Give it the new secret beside the old one and activate again. If you know that it has the ' +
      'secret, activate with `force`.',
  ),
} as const
