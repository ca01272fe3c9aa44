import { agentErrors, keyErrors, pageErrors } from './account-errors.ts'
import { billingErrors } from './billing-errors.ts'
import { bookingErrors } from './booking-errors.ts'
import { clockErrors } from './clock-errors.ts'
import { type ErrorSpec, refusals } from './error-spec.ts'
import { paymentErrors } from './payment-errors.ts'
import { webhookErrors } from './webhook-errors.ts'

/** Every error of every door. 400 is malformed, 422 breaks a rule, 409 is inventory or state. */
export const errorCatalogue = {
  ...refusals(400, {
    malformed_request:
      'The request is not valid HTTP. Correct the request line and header fields, and send it ' +
      'on a new connection.',
    malformed_json: 'The body is not JSON. Send one JSON object in UTF-8.',
    invalid_request:
      'The request does not have the expected shape. Correct the fields listed in `errors` and ' +
      'send it again.',
    invalid_protocol:
      'The envelope names another protocol. Set `protocol` to "service/a2a/v1" or omit it.',
    invalid_from:
      'The sender identity is malformed. Set `from` to "agent://<agent_name>" (letters, digits, ' +
      '`.`, `_`, `-`) or omit it.',
    unknown_intent: 'Unknown intent. Use one of the intents listed in `intents`.',
    unknown_tool: 'Unknown tool. Use one of the tools listed in `tools`.',
    invalid_cursor:
      'The cursor is not valid. Send `next_cursor` of the previous page unchanged, or omit ' +
      '`cursor` to start again.',
  }),
  ...keyErrors,
  ...billingErrors,
  ...refusals(401, {
    bad_signature:
      'The signature is not valid. Sign the raw body with the secret of this venue (see ' +
      '/docs/venue-connector), and check the clock.',
  }),
  ...refusals(403, {
    origin_not_allowed:
      'Requests from this origin are not allowed. Call from a server or a local client, send ' +
      'forms from pages of this service, or have the operator add the origin to ALLOWED_ORIGINS.',
  }),
  ...refusals(404, {
    not_found: 'No such resource. Check the address against /openapi.json.',
    session_not_found:
      'No such session. Open a new event stream with GET /mcp/sse and post to the address that ' +
      'it announces.',
  }),
  ...refusals(405, {
    method_not_allowed:
      'This address does not support that method. `allowed_methods` and the `Allow` header have ' +
      'those that it supports.',
  }),
  ...refusals(408, {
    request_timeout:
      'The request did not arrive in time. Send the whole request within 15 seconds.',
  }),
  ...bookingErrors,
  ...paymentErrors,
  ...webhookErrors,
  ...agentErrors,
  ...clockErrors,
  ...pageErrors,
  ...refusals(413, { payload_too_large: 'The body is too large. Send at most 64 kB.' }),
  ...refusals(415, {
    unsupported_media_type:
      'The content type is not supported. Send `Content-Type: application/json` in UTF-8.',
  }),
  ...refusals(422, {
    idempotency_mismatch:
      'This idempotency key was used for another request. Use a new key for a new request, or ' +
      'repeat the earlier body unchanged to get its answer.',
  }),
  ...refusals(429, {
    rate_limited:
      'Too many requests from this address. Wait as long as Retry-After says, or send a valid ' +
      'API key.',
    too_many_sessions: 'Too many open sessions. Close unused event streams, or try again later.',
  }),
  ...refusals(431, {
    headers_too_large:
      'The header fields are too large. Send at most 16 kB of request line and header fields.',
  }),
  ...refusals(500, {
    internal_error:
      'Something went wrong on our side. Repeat the request with the same idempotency key. ' +
      'Quote `request_id` if you report it.',
  }),
  ...refusals(503, {
    booking_engine_unavailable:
      'The booking engine is not answering. The request is recorded: repeat it unchanged to ' +
      'join it, or read the booking later.',
    overloaded:
      'The service is overloaded. Repeat the request unchanged after Retry-After. An ' +
      'idempotency key keeps it from being done twice.',
    service_unavailable:
      'A part of the service is not answering. Repeat the request after Retry-After.',
  }),
} satisfies Record<string, ErrorSpec>

export type ErrorCode = keyof typeof errorCatalogue
