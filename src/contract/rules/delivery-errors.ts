import { refusal } from './error-spec.ts'

/** What can be wrong with reading events and deliveries, and with sending them again. */
export const deliveryErrors = {
  event_not_found: refusal(
    404,
    'No such event in this account',
    'Use an event id from `GET /api/events` or the `webhook-id` of a delivery, with a key of the same account.',
  ),
  delivery_not_found: refusal(
    404,
    'No such delivery in this account',
    'Use a delivery id from `GET /api/deliveries`, with a key of the same account. Settled deliveries are erased after a while.',
  ),
  replay_not_found: refusal(
    404,
    'No such replay in this account',
    'Use the replay id that `POST /api/webhooks/{id}/replays` answered, with a key of the same account.',
  ),
  endpoint_deleted: refusal(
    409,
    'The endpoint of this delivery was deleted',
    'Nothing is sent to it any more. Create an endpoint and replay the event to that.',
  ),
  delivery_under_way: refusal(
    409,
    'The delivery is being sent at this moment',
    'Read the delivery in a few seconds; retry it then if it has not arrived.',
    true,
  ),
  no_signing_secret: refusal(
    409,
    'The endpoint has no secret that is valid now',
    'Rotate its secret: POST /api/webhooks/{id}/rotate.',
  ),
  replay_running: refusal(
    409,
    'A replay of this endpoint is not over yet',
    'Wait until the replay named in `replay_id` is completed, or cancel it, then send this again.',
  ),
  replay_over: refusal(
    409,
    'The replay is over',
    'Nothing was changed. Create another replay if something is still missing.',
  ),
} as const
