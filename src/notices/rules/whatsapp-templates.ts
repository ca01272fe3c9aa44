import { type Language, type Words, wordsOf } from '../../base/languages.ts'
import type { DeclineReason } from '../../confirmation/rules/venue-responses.ts'
import { isRequest, type NoticeMessage, noticeKinds } from './message.ts'

/** The kinds of templates: those of notices, and one for the change of a booking. */
export const templateKinds = [...noticeKinds, 'request.change'] as const
type TemplateKind = (typeof templateKinds)[number]

/** The kind of the template by which a notice is sent. */
export const templateKindOf = ({ kind, booking }: NoticeMessage): TemplateKind =>
  booking?.before ? 'request.change' : kind

/** The name of each kind's template at Meta, the same in every language. */
export const templateNames = {
  'request.waiting': 'request_waiting',
  'request.reminder': 'request_reminder',
  'request.change': 'request_change',
  'booking.changed': 'booking_changed',
  'booking.cancelled': 'booking_cancelled',
  'day.list': 'day_list',
} as const satisfies Record<TemplateKind, string>

const ofBooking = ['venue', 'when', 'party', 'service', 'name'] as const
const ofRequest = [...ofBooking, 'by'] as const
const ofChange = ['venue', 'before', 'when', 'party', 'name', 'by'] as const
const ofDay = ['venue', 'date', 'summary'] as const

/** The values of a template's body, in the order of its `{{1}}`, `{{2}}`. */
export const templateValues = (kind: TemplateKind) => {
  if (kind === 'request.change') return ofChange
  return kind === 'day.list' ? ofDay : isRequest(kind) ? ofRequest : ofBooking
}

/** The answers to a request that have a button, in their order. */
export const answers = ['accept', 'offer', 'decline'] as const
export type Answer = (typeof answers)[number]

/** A button that answers; with a `choice`, it acts without a further question. */
type AnswerButton = { label: Answer | 'keep'; answer: Answer; choice?: DeclineReason }

const toRequest: AnswerButton[] = answers.map((answer) => ({ label: answer, answer }))
const toChange: AnswerButton[] = [
  { label: 'accept', answer: 'accept' },
  { label: 'keep', answer: 'decline', choice: 'other' },
]

/** The buttons of a template that answer. */
export const answerButtons = (kind: TemplateKind): readonly AnswerButton[] => {
  if (kind === 'request.change') return toChange
  return isRequest(kind) ? toRequest : []
}

/** What Meta's reviewers see in place of the values. */
const examples = {
  venue: 'Kelapa Warung',
  when: 'Sat 5 December, 19:00',
  before: 'Fri 4 December, 20:00, 4 guests',
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

function template(kind: TemplateKind, { language, say }: Words, publicUrl: string): Template {
  const name = templateNames[kind]
  const values = templateValues(kind)
  const places = Object.fromEntries(values.map((value, index) => [value, `{{${index + 1}}}`]))
  const url = `${publicUrl}/venue/notice/`
  const open = {
    text: say('whatsapp.buttons.open'),
    url: `${url}{{1}}`,
    example: [`${url}AZ2lQ6dX`],
  }
  const replies = answerButtons(kind).map(
    ({ label }): Button => ({ type: 'QUICK_REPLY', text: say(`whatsapp.buttons.${label}`) }),
  )
  const buttons: Button[] = replies.length > 0 ? replies : [{ type: 'URL', ...open }]
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
  templateKinds.map((kind) => template(kind, wordsOf(language), publicUrl))
