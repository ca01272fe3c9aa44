import { toLocal } from '../../base/local-time.ts'
import type { GuestPage } from '../../guests/operations/guest-page.ts'
import { guestSummary } from '../../guests/rules/guest-summary.ts'
import { alert, field, formId, hidden, linkButton } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { type GuestView, inLanguage } from './guest-document.ts'

const MAX_GUESTS = 50

/** The day and party that a guest wants, and the times that are free then. */
export type WantedChange = { date: string; partySize: number; times: readonly string[] }

/** Where a guest changes time or party: a day's free times, which follow the party. */
export function changeView(
  view: GuestView,
  page: GuestPage,
  { date, partySize, times }: WantedChange,
  wrong?: string,
): Html {
  const { booking, at } = page
  const { words, path } = view
  const { say, language } = words
  const action = inLanguage(view, `${path}/change`)
  const { when, party } = guestSummary(words, page, at)
  const today = toLocal(booking.timezone, at).slice(0, 10)
  const guests = {
    name: 'guests',
    type: 'number',
    min: 1,
    max: MAX_GUESTS,
    required: true,
  } as const
  const day = { name: 'date', type: 'date', required: true } as const
  const option = (time: string) => html`
<label class="check"><input type="radio" name="slot_time" value="${time}" required${
    time === booking.slot_time && html` checked`
  }> ${say('clock', { at: new Date(`${time}Z`) })}</label>`
  const choose = html`
<fieldset><legend>${say('change.time')}</legend><div class="times">${times.map(option)}</div>
</fieldset><p>${say(booking.confirm_mode === 'auto' ? 'change.note' : 'change.asks')}</p>
<button class="main">${say('change.submit')}</button>`
  return html`
<h1>${say('change.title')}</h1>
${alert(wrong)}
<p>${booking.venue.name}<br>${when}<br>${party}</p>
<form class="stack" method="post" action="${action}">${formId()}${hidden('lang', language)}
${hidden('revision', String(booking.revision))}
${field(say('change.guests'), { ...guests, value: String(partySize) })}
${field(say('change.date'), { ...day, value: date, min: today })}
<button formmethod="get" formnovalidate>${say('change.show')}</button>
${times.length > 0 ? choose : html`<p role="status">${say('change.none')}</p>`}</form>
<p>${linkButton(inLanguage(view, path), say('cancel.no'), true)}</p>`
}
