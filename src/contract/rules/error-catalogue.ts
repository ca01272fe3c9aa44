import { accountErrors } from './account-errors.ts'
import { agentErrors } from './agent-errors.ts'
import { deliveryErrors } from './delivery-errors.ts'
import { endpointErrors } from './endpoint-errors.ts'
import { type ErrorSpec, refusal } from './error-spec.ts'
import { keyErrors } from './key-errors.ts'

/** The one error catalogue: REST, A2A and MCP render from it. 400 is malformed, 422 breaks a rule, 409 is inventory or state. */
export const errorCatalogue = {
  malformed_request: refusal(
    400,
    'The request is not valid HTTP',
    'Correct the request line and the header fields and send it on a new connection.',
  ),
  malformed_json: refusal(400, 'The body is not JSON', 'Send one JSON object in UTF-8.'),
  invalid_request: refusal(
    400,
    'The request does not have the expected shape',
    'Correct the fields listed in `errors` and send it again.',
  ),
  invalid_protocol: refusal(
    400,
    'The envelope names another protocol',
    'Set `protocol` to "service/a2a/v1" or leave it out.',
  ),
  invalid_from: refusal(
    400,
    'The sender identity is malformed',
    'Set `from` to "agent://<agent_name>" (letters, digits, `.`, `_`, `-`) or leave it out.',
  ),
  unknown_intent: refusal(400, 'Unknown intent', 'Use one of the intents listed in `intents`.'),
  unknown_tool: refusal(400, 'Unknown tool', 'Use one of the tools listed in `tools`.'),
  invalid_cursor: refusal(
    400,
    'The cursor is not one of ours',
    'Use `next_cursor` of the previous page unchanged, or leave `cursor` out to start again.',
  ),
  ...keyErrors,
  bad_signature: refusal(
    401,
    'The signature of the venue does not hold',
    'Sign the raw body with the secret of this venue, as /docs/venue-connector says, and check the clock.',
  ),
  origin_not_allowed: refusal(
    403,
    'This origin may not call',
    'Call from a server or a local client, send forms from pages of this service, or have the operator add the origin to ALLOWED_ORIGINS.',
  ),
  venue_link_invalid: refusal(
    403,
    'This link opens no venue’s page',
    'Ask the operator of the network for a new link.',
  ),
  not_found: refusal(404, 'No such resource', 'Check the address against /openapi.json.'),
  venue_not_found: refusal(
    404,
    'No such venue',
    'Search or list venues and use the `id` or `slug` given there.',
  ),
  booking_not_found: refusal(
    404,
    'No such booking in this account',
    'Use the booking id that confirm answered, with a key of the same account.',
  ),
  itinerary_not_found: refusal(
    404,
    'No such itinerary in this account',
    'Use the id that `POST /api/itineraries` answered, with a key of the same account.',
  ),
  watch_not_found: refusal(
    404,
    'No such watch in this account',
    'Use the watch id that watching answered, with a key of the same account.',
  ),
  session_not_found: refusal(
    404,
    'No such session',
    'Open a new event stream with GET /mcp/sse and post to the address it announces.',
  ),
  method_not_allowed: refusal(
    405,
    'This address does not take that method',
    'Use a method listed in the `Allow` header.',
  ),
  request_timeout: refusal(
    408,
    'The request did not arrive in time',
    'Send the whole request within 15 seconds.',
    true,
  ),
  slot_unavailable: refusal(
    409,
    'The slot is taken',
    'Book one of `alternatives`, or ask for the venue again to see what is free now.',
  ),
  slot_held: refusal(
    409,
    'The slot is held, and the hold is just ending',
    'Send it again as a new request after `retry_after` seconds, or book one of `alternatives`.',
    true,
  ),
  hold_limit: refusal(
    409,
    'Too many holds at the same time',
    'Confirm or release a hold, or wait until one ends by itself, then send it again as a new request.',
    true,
  ),
  slot_available: refusal(
    409,
    'The slot is free',
    'There is nothing to wait for: book one of `slot_times` now.',
  ),
  watch_limit: refusal(
    409,
    'Too many watches at the same time',
    'Cancel a watch that you no longer need, then send it again.',
  ),
  already_extended: refusal(
    409,
    'A hold can be extended once',
    'Confirm it before `hold_until`, or release it.',
  ),
  already_final: refusal(
    409,
    'The booking is over, or past the point where this can be done',
    'Nothing was changed. Read the booking to see where it stands.',
  ),
  booking_cancelled: refusal(
    409,
    'The booking was cancelled before the venue answered',
    'Nothing came of what was asked for, and nothing is charged for it.',
  ),
  not_decided_yet: refusal(
    409,
    'The venue has not decided yet',
    'Wait for its answer (`answer_by` says until when), then send this again as a new request; or cancel the booking.',
  ),
  amend_not_supported: refusal(
    409,
    'Bookings at this venue cannot be amended',
    'The venue confirms bookings itself and takes no changes: cancel this one and book anew. Nothing was changed.',
  ),
  too_many_changes: refusal(
    409,
    'The booking was changed too often',
    'Leave it as it is, or cancel it and book anew.',
  ),
  no_alternative_free: refusal(
    409,
    'None of the alternatives could be booked',
    'Nothing was booked and nothing is charged; `choices` says why each one failed. Send other choices as a new request.',
  ),
  itinerary_not_possible: refusal(
    409,
    'Not all parts of the itinerary could be booked',
    'Nothing of it is booked and nothing is charged. Replace the part that failed, if one did, and send it as a new itinerary.',
  ),
  itinerary_limit: refusal(
    409,
    'Too many itineraries in progress',
    'Wait until one is booked or undone, or cancel one, then send it again.',
    true,
  ),
  part_of_itinerary: refusal(
    409,
    'The booking is held for an itinerary',
    'The itinerary confirms it together with its other parts. Wait for that, or cancel the itinerary.',
  ),
  duplicate_booking: refusal(
    409,
    'You already have this booking',
    'Read the booking named in `booking_id`. To book the same again on purpose, send an idempotency key.',
  ),
  hold_expired: refusal(
    409,
    'The slot was held but not confirmed in time',
    'Nothing was booked and nothing is charged. Send the request again as a new one.',
  ),
  venue_declined: refusal(
    409,
    'The venue declined',
    'Nothing was booked or changed, and nothing is charged for it. Take one of `alternatives`.',
  ),
  venue_no_answer: refusal(
    409,
    'The venue did not answer in time',
    'Nothing was booked or changed, and nothing is charged for it. Take one of `alternatives`, or try this venue again later.',
  ),
  no_offer: refusal(
    409,
    'The venue has offered nothing that waits for an answer',
    'Nothing was changed. Read the booking to see where it stands.',
  ),
  offer_expired: refusal(
    409,
    'The offer of the venue was not answered in time',
    'Nothing was booked and nothing is charged. Book one of `alternatives`, or ask the venue again.',
  ),
  ...endpointErrors,
  ...deliveryErrors,
  ...agentErrors,
  ...accountErrors,
  payload_too_large: refusal(413, 'The body is too large', 'Send at most 64 kB.'),
  unsupported_media_type: refusal(
    415,
    'The body has another content type',
    'Send `Content-Type: application/json`, in UTF-8.',
  ),
  slot_time_has_offset: refusal(
    422,
    'slot_time must be local to the venue',
    'Send the local time at the venue without `Z` and without an offset, as in 2026-12-24T19:00:00; the zone is in `timezone`.',
  ),
  slot_in_past: refusal(422, 'The slot has begun or is over', 'Choose a later `slot_time`.'),
  slot_off_grid: refusal(
    422,
    'No slot starts at this time',
    'Choose a `slot_time` from `alternatives` or from the venue’s availability.',
  ),
  venue_closed: refusal(
    422,
    'The venue is closed then',
    'Choose a `slot_time` from `alternatives` or from the venue’s availability.',
  ),
  lead_time: refusal(422, 'Too short notice', 'Choose a `slot_time` at or after `earliest`.'),
  beyond_horizon: refusal(422, 'Too far ahead', 'Choose a `slot_time` at or before `latest`.'),
  party_too_small: refusal(
    422,
    'The party is too small',
    'Choose a `party_size` of at least `party_min`.',
  ),
  party_too_large: refusal(
    422,
    'The party is too large',
    'Choose a `party_size` of at most `party_max`, or split the party.',
  ),
  idempotency_mismatch: refusal(
    422,
    'This idempotency key was used for another request',
    'Use a new key for a new request, or repeat the earlier body unchanged to get its answer.',
  ),
  rate_limited: refusal(
    429,
    'Too many requests from this address',
    'Wait as long as Retry-After says, or send an API key.',
    true,
  ),
  too_many_sessions: refusal(
    429,
    'Too many open sessions',
    'Close event streams that are not in use, or try again later.',
    true,
  ),
  headers_too_large: refusal(
    431,
    'The header fields are too large',
    'Send at most 16 kB of request line and header fields.',
  ),
  internal_error: refusal(
    500,
    'Something went wrong on our side',
    'Repeat the request with the same idempotency key; name `request_id` if you report it.',
    true,
  ),
  booking_engine_unavailable: refusal(
    503,
    'The booking engine is not answering',
    'The request is recorded and nothing is lost: repeat it unchanged to join it, or read the booking later.',
    true,
  ),
  overloaded: refusal(
    503,
    'Too much is waiting here already',
    'Repeat the request unchanged after the time in Retry-After; with an idempotency key nothing is done twice.',
    true,
  ),
  service_unavailable: refusal(
    503,
    'A part of the service is not answering',
    'Repeat the request after the time in Retry-After.',
    true,
  ),
} as const satisfies Record<string, ErrorSpec>

export type ErrorCode = keyof typeof errorCatalogue
