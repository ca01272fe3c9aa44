import {
  DELIVER_SIGNAL,
  type EndpointCommandName,
  RETRY_UPDATE,
  VERIFY_UPDATE,
} from '../../src/webhooks/rules/endpoint-messages.ts'
import { optional, uuid } from '../shapes.ts'

export const deliver = {
  name: DELIVER_SIGNAL,
  about: 'Sends what is due. Harmless at any time. No input.',
}

export const retry = {
  name: RETRY_UPDATE,
  about:
    'Sends one delivery now, without a change to its schedule, and reports the outcome. ' +
    'Input: "UUID of the delivery or of the event"',
  inputs: [uuid],
}

export const verify = {
  name: VERIFY_UPDATE,
  about:
    'For the network: sends the challenge that proves the URL. ' +
    'Input: none, or "UUID of a staged key"',
  inputs: [optional(uuid)],
}

const WHO = '"id": "INC-7", "by": "your name", "reason": "why"'

/** Operators' messages. Each takes effect once per `id`; only `by` is required. */
export const commands: Record<EndpointCommandName, string> = {
  pause: `Holds deliveries until a resume. Input: {${WHO}}`,
  disable: `Holds deliveries, challenges included, until a resume. Input: {${WHO}}`,
  resume:
    'Ends a pause or, with "from": "disabled", a disabling. ' +
    `Input: {${WHO}, "from": "paused", "held": "release" or "discard"}`,
  replay:
    `Sends events again. Input: {${WHO}, "failed_since": "2026-01-31T00:00:00Z" or ` +
    '"from_number": 1 or "events": ["UUID"], "per_second": 100}; to change one that runs: ' +
    `{${WHO}, "replay_id": "UUID", "change": "pause", "resume" or "cancel"}`,
  rotateSecret:
    'Makes another signing secret. ' +
    `Input: {${WHO}, "overlap_hours": 24} or {${WHO}, "revoke": true}`,
}

/** What operators who request the cancellation of an endpoint's workflow should do instead. */
export const HOW_TO_STOP = `Deliveries continue. The signal \`pause\` holds them. Input: {${WHO}}`
