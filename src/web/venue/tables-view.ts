import type { FreeTimes } from '../../availability/steps/walk-ins.ts'
import type { WalkIn } from '../../availability/store/walk-ins.ts'
import { toLocal } from '../../base/local-time.ts'
import { hidden, linkButton } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { asText, partyText, slotText } from './booking-text.ts'
import { freeForm, staffForm } from './day-view.ts'
import { type StaffView, to } from './staff-document.ts'

type Party = { date: string; partySize: number; isGone: boolean }

/** The second of two taps: when the guests without a booking come. */
export function tablesView(
  view: StaffView,
  free: readonly FreeTimes[],
  { date, partySize, isGone }: Party,
): Html {
  const { words, at } = view
  const { say } = words
  const time = (
    { serviceId }: FreeTimes,
    { slotTime, startsAt, endsAt }: FreeTimes['slots'][number],
  ) => {
    const isNow = startsAt <= at
    const until = asText(toLocal(view.venue.timezone, endsAt))
    return html`<button name="slot" value="${serviceId} ${isNow ? 'now' : slotTime}"${
      isNow && html` class="now"`
    }>${
      isNow ? say('staff.table.now', { until }) : say('clock', { at: asText(slotTime) })
    }</button>`
  }
  const group = (one: FreeTimes) => html`
${free.length > 1 && html`<h2>${one.name}</h2>`}
<div class="choices">${one.slots.map((slot) => time(one, slot))}</div>`
  const fields = html`${hidden('date', date)}${hidden('party', String(partySize))}`
  return html`
<h1>${partyText(words, { party_size: partySize })}: ${say('staff.table.choose')}</h1>
<p class="when">${say('staff.day', { at: asText(`${date}T00:00`) })}</p>
${isGone && html`<p class="notice bad" role="alert">${say('staff.table.gone')}</p>`}
${
  free.length > 0
    ? staffForm(view, '/tables', html`${fields}${free.map(group)}`)
    : html`<p>${say('staff.table.none')}</p>`
}
<p>${linkButton(to(view, '', { date }), say('staff.end.keep'), true)}</p>`
}

/** What has become of the last press about a walk-in. */
export const walkInNotice = (view: StaffView, walkIn: WalkIn): Html => {
  const { say } = view.words
  const values = { slot: slotText(view, walkIn), party: partyText(view.words, walkIn) }
  if (walkIn.freed_at) return html`<p>${say('staff.table.freed')}</p>`
  return html`
<p>${say('staff.table.taken', values)} ${walkIn.resources}</p>${freeForm(view, walkIn)}`
}
