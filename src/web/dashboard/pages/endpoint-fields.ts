import { eventTypes } from '../../../webhooks/rules/event-types.ts'
import { checkbox, field, link } from '../../page/components.ts'
import { checkedValues, type FieldErrors, type FormRules, textFields } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'

/** The submitted form as input for the operations. */
export function endpointInput(body: unknown) {
  const names = ['url', 'description', 'rate', 'fifo'] as const
  const { url = '', description = '', rate, fifo } = textFields(body, names)
  return {
    url,
    description,
    event_types: checkedValues(body, 'event_types'),
    rate_per_second: rate === undefined ? null : Number(rate),
    fifo: fifo === 'on',
  }
}
export type EndpointInput = ReturnType<typeof endpointInput>

/** A refused form and why it was refused. */
export type RefusedEndpoint = { input: EndpointInput; refused: string; errors: FieldErrors }

export const endpointForm: FormRules = {
  labels: { url: 'URL', event_types: 'events', rate_per_second: 'deliveries a second' },
  codes: ['url_not_allowed', 'email_unverified'],
  at: { url_not_allowed: 'url' },
}

export function endpointFields(input: EndpointInput, errors: FieldErrors = {}): Html[] {
  const { url: value, description, event_types, rate_per_second, fifo } = input
  const url = {
    name: 'url',
    type: 'url',
    value,
    required: true,
    maxlength: 2048,
    error: errors.url,
  }
  const placeholder = 'https://agent.example/hooks'
  const urlHint = 'Where events are sent: https, reachable from the public internet.'
  const words = {
    name: 'description',
    value: description,
    maxlength: 500,
    error: errors.description,
  }
  const perSecond = { name: 'rate', type: 'number', value: rate_per_second?.toString() }
  const rate = { ...perSecond, min: 1, max: 1000, error: errors.rate_per_second }
  const inOrder = 'Deliver in order, one at a time (a failing event blocks later ones)'
  return [
    field('URL', { ...url, placeholder }, urlHint),
    field('Description', words, 'Only you see it.'),
    typeBoxes(event_types, errors.event_types),
    field('Deliveries per second', rate, 'Leave empty for no limit.'),
    html`<p>${checkbox(inOrder, 'fifo', 'on', fifo)}</p>`,
  ]
}

const subjects = Map.groupBy(eventTypes, (type) => type.split('.', 1)[0] ?? '')

function typeBoxes(filters: readonly string[], error?: string): Html {
  const box = (label: string, filter: string) =>
    checkbox(label, 'event_types', filter, filters.includes(filter))
  const group = ([subject, types]: [string, readonly string[]]) => html`
<details${filters.some((filter) => filter.startsWith(`${subject}.`)) && html` open`}>
<summary>${subject}</summary><div class="boxes">
${box(`All of ${subject}`, `${subject}.*`)}${types.map((type) => box(type, type))}</div></details>`
  return html`<fieldset><legend>Events</legend>
${error && html`<p class="error">${error}</p>`}
<p>${box('All events', '*')}</p>${[...subjects].map(group)}
<p class="hint">${link('/docs/webhook-events', 'Event catalogue')}</p></fieldset>`
}
