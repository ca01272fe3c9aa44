import type { ErrorCode } from '../../../../contract/rules/error-catalogue.ts'
import { eventTypes } from '../../../../webhooks/rules/event-types.ts'
import { checkbox, field } from '../../components/form.ts'
import { type Html, html } from '../../html.ts'
import { given, ticked } from '../../query.ts'

/** What a form says of an endpoint, in the words of the operations. */
export const wishOf = (body: unknown) => {
  const {
    url = '',
    description = '',
    rate,
    fifo,
  } = given(body, ['url', 'description', 'rate', 'fifo'])
  return {
    url,
    description,
    event_types: ticked(body, 'event_types'),
    rate_per_second: rate === undefined ? null : Number(rate),
    fifo: fifo === 'on',
  }
}
export type Wish = ReturnType<typeof wishOf>

/** A form that was refused, and why. */
export type TriedEndpoint = { wish: Wish; refused: string }

const subjects = [...new Set(eventTypes.map((type) => type.split('.')[0] ?? ''))]

/** What its form calls the fields of the operations. */
export const endpointLabels = {
  url: 'address',
  event_types: 'events',
  rate_per_second: 'deliveries a second',
}
/** What a change of the form can mend, beside a field that is not as expected. */
export const endpointRefusals: readonly ErrorCode[] = ['url_not_allowed']

/** What an endpoint is made of, as fields of a form. */
export const endpointFields = (wish: Wish): Html => html`
${field('Address', { name: 'url', type: 'url', value: wish.url, required: true, maxlength: 2048, placeholder: 'https://agent.example/hooks' }, 'URL that receives events: https, reachable from the public internet.')}
${field('Description', { name: 'description', value: wish.description, maxlength: 500 }, 'Only you see it.')}
${typeBoxes(wish.event_types)}
${field('Rate limit, deliveries per second', { name: 'rate', type: 'number', value: wish.rate_per_second === null ? '' : String(wish.rate_per_second), min: '1', max: '1000' }, 'Leave empty for no limit.')}
<p>${checkbox('Deliver in order, one at a time (a failing event blocks later ones)', 'fifo', 'on', wish.fifo)}</p>`

const typeBoxes = (chosen: readonly string[]): Html => {
  const box = (label: string, filter: string) =>
    checkbox(label, 'event_types', filter, chosen.includes(filter))
  return html`<fieldset><legend>Events</legend>
<p>${box('All', '*')}</p>
${subjects.map(
  (
    subject,
  ) => html`<details${chosen.some((filter) => filter.startsWith(`${subject}.`)) ? html` open` : ''}><summary>${subject}</summary><div class="row">
${box(`All of ${subject}`, `${subject}.*`)}${eventTypes.filter((type) => type.startsWith(`${subject}.`)).map((type) => box(type, type))}</div></details>`,
)}
<p class="hint"><a href="/dashboard/events/types">Event catalogue</a></p></fieldset>`
}
