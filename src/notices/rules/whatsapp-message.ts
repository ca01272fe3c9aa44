import { type Words, wordsOf } from '../../base/languages.ts'
import { toLocal } from '../../base/local-time.ts'
import { type NoticeMessage, unlinked } from './message.ts'
import {
  type Answer,
  answerButtons,
  templateKindOf,
  templateNames,
  templateValues,
} from './whatsapp-templates.ts'

// The Cloud API's limits: a list has ten rows with titles of 24 characters.
const MAX_ROWS = 10
const MAX_TITLE = 24
/** Six values of this length fit into a body of 1,024 characters. */
const MAX_VALUE = 60

/** The part of a message that depends on its type; the sender adds the number. */
export type Content = Readonly<Record<string, unknown>> & { type: string }

/** A local time, as the texts of languages take it. */
const read = (local: string) => new Date(`${local.slice(0, 19)}Z`)

/** A local time in words. */
export const timeText = ({ say }: Words, local: string): string => say('time', { at: read(local) })

/**
 * A value as templates take it: one line. What guests write makes neither bold text nor links.
 */
function oneLine(text: string): string {
  return clipped(unlinked(text).replace(/\s+/g, ' '), MAX_VALUE)
}

function clipped(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

/** What the text of a notice says, by the names of a template's values. */
function valuesOf(words: Words, { at, venue, booking, day }: NoticeMessage) {
  const { say } = words
  const { slotTime = '1970-01-01T00:00:00', partySize = 0, answerBy, before } = booking ?? {}
  const by = answerBy ? toLocal(venue.timezone, answerBy) : slotTime
  const isToday = by.slice(0, 10) === toLocal(venue.timezone, at).slice(0, 10)
  const { date = '1970-01-01', bookings = [] } = day ?? {}
  const guests = bookings.reduce((sum, one) => sum + one.partySize, 0)
  return {
    venue: oneLine(venue.name),
    when: timeText(words, slotTime),
    before: before
      ? `${timeText(words, before.slotTime)}, ${say('party', { guests: before.partySize })}`
      : '',
    party: String(partySize),
    service: oneLine(booking?.service ?? '') || say('whatsapp.noService'),
    name: oneLine(booking?.guestName ?? '') || say('whatsapp.noName'),
    by: say(isToday ? 'clock' : 'time', { at: read(by) }),
    date: say('whatsapp.day', { at: read(`${date}T00:00:00`) }),
    summary: say('whatsapp.summary', { bookings: bookings.length, guests }),
  }
}

/** A notice, sent by its template; `payloadOf` returns what the press of a button brings back. */
export function templateContent(
  message: NoticeMessage,
  payloadOf: (answer: Answer, choice: string | undefined) => string,
): Content {
  const { language, url } = message
  const kind = templateKindOf(message)
  const values = valuesOf(wordsOf(language), message)
  const button = (sub_type: string, index: number, parameter: object) => ({
    ...{ type: 'button', sub_type, index: String(index), parameters: [parameter] },
  })
  const token = url.slice(url.lastIndexOf('/') + 1)
  const replies = answerButtons(kind).map(({ answer, choice }, index) =>
    button('quick_reply', index, { type: 'payload', payload: payloadOf(answer, choice) }),
  )
  const open = button('url', 0, { type: 'text', text: token })
  const buttons = replies.length > 0 ? replies : [open]
  const parameters = templateValues(kind).map((name) => ({ type: 'text', text: values[name] }))
  const components = [{ type: 'body', parameters }, ...buttons]
  const name = templateNames[kind]
  return { type: 'template', template: { name, language: { code: language }, components } }
}

/** A plain answer. */
export const textContent = (body: string): Content => ({
  ...{ type: 'text', text: { preview_url: false, body } },
})

/** A question, and at most ten answers to choose from. */
export function listContent(
  question: string,
  button: string,
  choices: readonly { id: string; title: string }[],
): Content {
  const rows = choices.slice(0, MAX_ROWS).map(({ id, title }) => ({
    ...{ id, title: clipped(title, MAX_TITLE) },
  }))
  const action = { button, sections: [{ rows }] }
  return { type: 'interactive', interactive: { type: 'list', body: { text: question }, action } }
}
