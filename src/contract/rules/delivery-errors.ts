import { refusal } from './error-spec.ts'

/** Errors of events, deliveries and replays. */
export const deliveryErrors = {
  event_not_found: refusal(
    404,
    'No such event in this account',
    'Use an event id from `GET /api/events`, or the `webhook-id` of a delivery, with a key of ' +
      'the same account.',
  ),
  delivery_not_found: refusal(
    404,
    'No such delivery in this account',
    'Use a delivery id from `GET /api/deliveries`, with a key of the same account. Settled ' +
      'deliveries are erased after a while.',
  ),
  replay_not_found: refusal(
    404,
    'No such replay in this account',
    'Use the replay id that `POST /api/webhooks/{id}/replays` returned, with a key of the same ' +
      'account.',
  ),
  endpoint_deleted: refusal(
    409,
    'The endpoint of this delivery was deleted',
    'Nothing is sent to it any more. Create another endpoint and replay the event to it.',
  ),
  delivery_in_flight: refusal(
    409,
    'The delivery is being sent right now',
    'Read the delivery in a few seconds. If it has not arrived, retry it then.',
    true,
  ),
  no_signing_secret: refusal(
    409,
    'The endpoint has no valid signing secret',
    'Rotate its secret: POST /api/webhooks/{id}/rotate.',
  ),
  replay_running: refusal(
    409,
    'The endpoint has a replay that is not over',
    'Wait until the replay named in `replay_id` is completed, or cancel it, then send this again.',
  ),
  replay_over: refusal(
    409,
    'The replay is over',
    'Nothing was changed. If events are still missing, create another replay.',
  ),
} as const
