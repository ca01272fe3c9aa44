import type { ChannelEnd } from './channel.ts'

/**
 * What an error code of the Cloud API means for a message: `again` if the same message may succeed
 * later; otherwise the next channel is tried, and `ends` says why this one is never used again.
 * `advice` is for the log: what the operator must do.
 */
type Meaning = {
  failure: string
  again?: true
  ends?: Extract<ChannelEnd, 'stopped' | 'wrong_number'>
  advice?: string
}

/** What to do about a template that Meta rejected, paused or does not know. */
export const templateAdvice =
  'Compare `npm run venues -- templates` with the templates in WhatsApp Manager, and submit what ' +
  'differs.'
const token = 'Give WHATSAPP_TOKEN a system user’s token with whatsapp_business_messaging.'
const account = 'See the account’s state in WhatsApp Manager and in Meta’s Business Support.'
const busy = { failure: 'WhatsApp limits how fast messages are sent', again: true } as const
const down = { failure: 'WhatsApp does not work at the moment', again: true } as const
const noTemplate = { failure: 'WhatsApp has not approved this message', advice: templateAdvice }
const noAccess = { failure: 'WhatsApp refuses the network’s access', advice: token }
const locked = { failure: 'WhatsApp has locked the network’s account', advice: account }
const unwanted = { failure: 'WhatsApp chose not to deliver this message' }
const nobody = { failure: 'the number cannot get WhatsApp messages', ends: 'wrong_number' } as const

/** Cloud API, "Error codes". */
const meanings = new Map<number, Meaning>([
  [0, noAccess],
  [3, noAccess],
  [10, noAccess],
  [190, noAccess],
  [131005, noAccess],
  [1, down],
  [2, down],
  [131000, down],
  [131016, down],
  [131057, down],
  [4, busy],
  [80007, busy],
  [130429, busy],
  [131048, { ...busy, advice: account }],
  [131056, busy],
  [368, locked],
  [131031, locked],
  [131042, { failure: 'WhatsApp was not paid', advice: 'Mend the payment in WhatsApp Manager.' }],
  [131045, { failure: 'the network’s number is not registered', advice: account }],
  [133010, { failure: 'the network’s number is not registered', advice: account }],
  [131021, nobody],
  [131026, nobody],
  [131030, { ...noAccess, advice: 'Add the number to the allowed recipients of the test number.' }],
  [131047, { failure: 'the person has not written for 24 hours' }],
  [131049, unwanted],
  [130472, unwanted],
  [131050, { failure: 'the person stopped these messages', ends: 'stopped' }],
  ...[132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018].map(
    (code): [number, Meaning] => [code, noTemplate],
  ),
])

/** What an error means; codes that are not listed are faults in our message, never sent again. */
export const errorMeaning = (code: number): Meaning =>
  meanings.get(code) ??
  (code >= 200 && code <= 299 ? noAccess : { failure: 'WhatsApp refuses the message' })

/** The failure as attempts store it, with the code to look up. */
export const failureText = (code: number): string => `${errorMeaning(code).failure} (${code})`
