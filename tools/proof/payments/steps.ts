import type { Catch } from '../../../test/support/tcp-proxy.ts'

/** The links between the parts, each through its own proxy. */
export const links = [
  'payer > API',
  'API > facilitator',
  'API > database',
  'worker > database',
  'settler > database',
  'settler > facilitator',
  'facilitator > database',
] as const
export type Link = (typeof links)[number]

/** Where a process is killed: when a message of the payment reaches this link. */
export type PaymentStep = { name: string; link: Link } & Omit<Catch, 'occurrence'>

/** A parameter in PostgreSQL's protocol: statements are prepared, so their text rarely appears. */
const value = (text: string) => `\0\0\0${String.fromCharCode(text.length)}${text}`

/** The answer to a statement that moved money: a row without columns. */
const MOVE_ROW = 'D\0\0\0\x06\0\0'

/** The steps of a payment to the wallet `payTo` and of its refund. */
export const stepsOf = (payTo: string): readonly PaymentStep[] => [
  {
    name: '402 on its way: the requirements',
    link: 'payer > API',
    direction: 'answer',
    text: 'HTTP/1.1 402',
  },
  {
    name: 'payment received',
    link: 'API > facilitator',
    direction: 'request',
    text: 'POST /verify',
  },
  {
    name: 'payment verified',
    link: 'API > facilitator',
    direction: 'answer',
    text: '"isValid":true',
  },
  {
    name: 'payment being stored with its request',
    link: 'API > database',
    direction: 'request',
    text: '"x402Version":2',
  },
  {
    name: 'slot being held',
    link: 'worker > database',
    direction: 'request',
    text: '{"hold"}',
  },
  {
    name: 'slot held, settling written down',
    link: 'settler > database',
    direction: 'answer',
    text: value('settling'),
  },
  {
    name: 'facilitator being asked to settle',
    link: 'settler > facilitator',
    direction: 'request',
    text: 'POST /settle',
  },
  {
    name: 'money about to move',
    link: 'facilitator > database',
    direction: 'request',
    text: payTo,
  },
  {
    name: 'money moved, its facilitator not told',
    link: 'facilitator > database',
    direction: 'answer',
    text: MOVE_ROW,
  },
  {
    name: 'settled, the answer on its way',
    link: 'settler > facilitator',
    direction: 'answer',
    text: '"success":true',
  },
  {
    name: 'chain being asked for the transaction',
    link: 'settler > facilitator',
    direction: 'request',
    text: 'eth_getLogs',
  },
  {
    name: 'settlement being written down',
    link: 'settler > database',
    direction: 'request',
    text: value('settled'),
  },
  {
    name: 'booking being confirmed',
    link: 'worker > database',
    direction: 'request',
    text: '{"confirm"}',
  },
  {
    name: '201 on its way: the confirmation',
    link: 'payer > API',
    direction: 'answer',
    text: 'HTTP/1.1 201',
  },
  {
    name: 'booking being cancelled, refund due',
    link: 'worker > database',
    direction: 'request',
    text: value('cancelled'),
  },
  {
    name: 'refund about to be sent',
    link: 'worker > database',
    direction: 'request',
    text: payTo,
  },
  {
    name: 'refund sent, its proof not stored',
    link: 'worker > database',
    direction: 'answer',
    text: MOVE_ROW,
  },
]
