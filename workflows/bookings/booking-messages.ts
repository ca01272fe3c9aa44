import {
  COMMAND_UPDATE,
  COMMANDS_SUBMITTED_SIGNAL,
  CONFIRM_UPDATE,
  commandKinds,
  type OperatorActName,
  VENUE_RESPONDED_SIGNAL,
} from '../../src/bookings/rules/booking-messages.ts'
import { anyObject, line, object, oneOf, uuid, wholeNumber } from '../shapes.ts'

const MAX_WAIT_MS = 60_000
const wait = wholeNumber(0, MAX_WAIT_MS)

export const confirm = {
  name: CONFIRM_UPDATE,
  about: 'For the network: waits so many milliseconds for the answer to the request. Input: 10000',
  inputs: [wait],
}

export const command = {
  name: COMMAND_UPDATE,
  about:
    'For the network: waits for the answer to a command that is stored. It gives none: an ' +
    'operator cancels with the update `cancel`. ' +
    'Inputs: {"id": "UUID", "kind": "cancel", "input": {}} and 10000 (milliseconds)',
  inputs: [object({ id: uuid, kind: oneOf(commandKinds), input: anyObject }), wait],
}

export const commandsSubmitted = {
  name: COMMANDS_SUBMITTED_SIGNAL,
  about: 'Looks for stored commands and does what is due. Harmless at any time. No input.',
}

export const venueResponded = {
  name: VENUE_RESPONDED_SIGNAL,
  about: 'Looks for stored responses of the venue. Harmless at any time. No input.',
}

const INPUT = 'Input: {"id": "INC-7", "by": "your name", "reason": "why"}'
const inputs = [object({ id: line(100), by: line(100), reason: line(500) })]

/** Operators' actions on a booking. Each action takes effect once per `id`. */
export const operatorActs: Record<OperatorActName, { about: string; inputs: typeof inputs }> = {
  cancel: {
    about: `Cancels the booking for an operator and reverses its fee. ${INPUT}`,
    inputs,
  },
  retry: {
    about: `Retries the last command that was given up, and does what is due. ${INPUT}`,
    inputs,
  },
  wake: { about: `Does what is due now, without waiting for a pause to end. ${INPUT}`, inputs },
}

/** What operators who request the cancellation of a booking's workflow should do instead. */
export const HOW_TO_CANCEL = `The booking continues. The update \`cancel\` cancels it. ${INPUT}`
