import { refusals } from './error-spec.ts'

/** Webhook endpoints, their secrets, deliveries and replays. */
export const webhookErrors = {
  ...refusals(404, {
    endpoint_not_found:
      'No such endpoint in this account. Use the endpoint id that `POST /api/webhooks` returned, ' +
      'with a key of the same account.',
    event_not_found:
      'No such event in this account. Use an event id from `GET /api/events`, or the ' +
      '`webhook-id` of a delivery, with a key of the same account.',
    delivery_not_found:
      'No such delivery in this account. Use a delivery id from `GET /api/deliveries`, with a ' +
      'key of the same account. Settled deliveries are erased after a while.',
    replay_not_found:
      'No such replay in this account. Use the replay id that `POST /api/webhooks/{id}/replays` ' +
      'returned, with a key of the same account.',
  }),
  ...refusals(409, {
    endpoint_limit: 'Too many endpoints. Delete one that you no longer need, then try again.',
    endpoint_not_active:
      'The endpoint is not active. Verify it if it is `unverified`, resume it if it is ' +
      '`paused`, enable it if it is `disabled`.',
    endpoint_disabled: 'The endpoint is disabled. Enable it: POST /api/webhooks/{id}/enable.',
    endpoint_deleted:
      'The endpoint of this delivery was deleted. Create another endpoint and replay the event ' +
      'to it.',
    secret_in_use:
      'The endpoint already has this secret. Send another one, or omit `secret` to have one ' +
      'created.',
    too_many_secrets:
      'Too many secrets are valid at the same time. Wait until one of `keys` ends, or revoke ' +
      'all of them at once.',
    no_staged_secret:
      'There is no staged secret. Stage one: POST /api/webhooks/{id}/rotate with `staged: true`.',
    not_proved:
      'The receiver has not accepted the staged secret. Add the new secret beside the old one ' +
      'on the receiver and activate again. If it already has the secret, activate with `force`.',
    no_signing_secret:
      'The endpoint has no valid signing secret. Rotate it: POST /api/webhooks/{id}/rotate.',
    nothing_to_replay:
      'No event of this choice can be sent again: none matches, or their deliveries are pending ' +
      'and are tried by themselves. Count first with `dry_run`.',
    replay_running:
      'A replay is in progress on this endpoint. Wait until the replay named in `replay_id` ' +
      'completes, or cancel it, then try again.',
    replay_over:
      'The replay is over. Nothing was changed. If events are still missing, create another ' +
      'replay.',
  }),
  ...refusals(
    409,
    {
      delivery_in_flight:
        'The delivery is being sent right now. Read it again in a few seconds, and retry it ' +
        'if it has not arrived.',
    },
    true,
  ),
  ...refusals(422, {
    url_not_allowed:
      'The network cannot deliver to this URL. Send an https:// URL that is reachable from the ' +
      'public internet.',
    wrong_challenge:
      'The challenge does not match. Send `data.challenge` of the newest `endpoint.challenge` ' +
      'request that this URL received.',
  }),
}
