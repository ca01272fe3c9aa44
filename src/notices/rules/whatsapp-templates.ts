import { type Language, type Words, wordsOf } from '../../base/languages.ts'
import { isRequest, type NoticeKind, noticeKinds } from './message.ts'

/** The name of each kind's template at Meta, the same in every language. */
export const templateNames = {
  'request.waiting': 'request_waiting',
  'request.reminder': 'request_reminder',
  'booking.changed': 'booking_changed',
  'booking.cancelled': 'booking_cancelled',
  'day.list': 'day_list',
} as const satisfies Record<NoticeKind, string>

const ofBooking = ['venue', 'when', 'party', 'service', 'name'] as const
const ofRequest = [...ofBooking, 'by'] as const
const ofDay = ['venue', 'date', 'summary'] as const

/** The values of a template's body, in the order of its `{{1}}`, `{{2}}`. */
export const templateValues = (kind: NoticeKind) =>
  kind === 'day.list' ? ofDay : isRequest(kind) ? ofRequest : ofBooking

/** The answers to a request that have a button, in their order. */
export const answers = ['accept', 'offer', 'decline'] as const
export type Answer = (typeof answers)[number]

/** What Meta's reviewers see in place of the values. */
const examples = {
  venue: 'Kelapa Warung',
  when: 'Sat 5 December, 19:00',
  party: '2',
  service: 'Dinner',
  name: 'Wayan',
  by: '18:15',
  date: 'Sat 5 December',
  summary: '5, 18',
}

type Button = { type: 'QUICK_REPLY' | 'URL'; text: string; url?: string; example?: string[] }
/** A template as Meta's `POST /<business account>/message_templates` takes it. */
export type Template = {
  name: string
  language: Language
  category: 'UTILITY'
  parameter_format: 'POSITIONAL'
  components: [
    { type: 'BODY'; text: string; example: { body_text: string[][] } },
    { type: 'BUTTONS'; buttons: Button[] },
  ]
}

function template(kind: NoticeKind, { language, say }: Words, publicUrl: string): Template {
  const name = templateNames[kind]
  const values = templateValues(kind)
  const places = Object.fromEntries(values.map((value, index) => [value, `{{${index + 1}}}`]))
  const url = `${publicUrl}/venue/notice/`
  const open = {
    text: say('whatsapp.buttons.open'),
    url: `${url}{{1}}`,
    example: [`${url}AZ2lQ6dX`],
  }
  const buttons: Button[] = isRequest(kind)
    ? answers.map((one) => ({ type: 'QUICK_REPLY', text: say(`whatsapp.buttons.${one}`) }))
    : [{ type: 'URL', ...open }]
  const example = { body_text: [values.map((value) => examples[value])] }
  return {
    ...{ name, language, category: 'UTILITY', parameter_format: 'POSITIONAL' },
    components: [
      { type: 'BODY', text: say(`whatsapp.body.${name}`, places), example },
      { type: 'BUTTONS', buttons },
    ],
  }
}

/** Every template in a language. */
export const templatesIn = (language: Language, publicUrl: string): Template[] =>
  noticeKinds.map((kind) => template(kind, wordsOf(language), publicUrl))
