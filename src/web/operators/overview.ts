import { type Health, readHealth } from '../../operators/operations/read-health.ts'
import type { Page } from '../dashboard/page.ts'
import { savedQueries, type TemporalLinks, temporalLinks } from '../dashboard/temporal-links.ts'
import * as ui from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { OPERATORS, showOperators } from './operators-page.ts'

/** `/dashboard/operators`: the state of the network, and what needs attention. */
export const overview: Page = async (scope, { services, config }) => {
  const links = temporalLinks(config)
  scope.get(OPERATORS, async (_, reply) => {
    const health = await readHealth(services, new Date())
    return showOperators(reply, ['Operators', 'Overview'], overviewView(health, links))
  })
}

const VENUES = `${OPERATORS}/venues`

const overviewView = (health: Health, links: TemporalLinks | null): Html => html`
<h2>Needs attention</h2>
<ul class="needs">
${need(`${OPERATORS}/bookings`, countOf(health.stuck), 'stuck booking')}
${need(`${OPERATORS}/endpoints`, countOf(health.endpoints), 'endpoint', ' in trouble')}
${need(VENUES, inTrouble(health), 'connected venue', ' failing or late')}
${need(`${VENUES}#no-channel`, countOf(health.withoutChannel), 'venue', ' without a channel')}
${need(`${OPERATORS}/payments`, countOf(health.payments), 'stuck payment')}
${need(`${OPERATORS}/failing`, countOf(health.failing), 'failing row')}
</ul>
<h2>Queues</h2>
${
  health.queues === null
    ? html`<p role="alert">${ui.badge('down', 'bad')} The Temporal server is not responding.</p>`
    : ui.listTable('Queues', health.queues, queueColumns)
}
<h2>In the Temporal UI</h2>
${
  links
    ? html`<ul class="plain">${Object.entries(savedQueries).map(
        ([name, query]) => html`<li>${ui.link(links.list(query), name)}</li>`,
      )}</ul>`
    : ui.note('Set TEMPORAL_UI_URL to get links into the Temporal UI.')
}`

const countOf = (items: readonly unknown[]): number => items.length

const inTrouble = ({ readings }: Health): number =>
  (readings.get('failed') ?? 0) + (readings.get('late') ?? 0)

function need(href: string, count: number, noun: string, rest = ''): Html {
  const words = `${noun}${count === 1 ? '' : 's'}${rest}`
  return html`<li class="${count > 0 ? 'bad' : 'good'}"><a href="${href}"
><strong>${ui.grouped(count)}</strong> ${words}</a></li>`
}

const queueColumns: ui.Columns<NonNullable<Health['queues']>[number]> = {
  Queue: ({ name }) => name,
  Tasks: ({ kind }) => kind,
  Waiting: ({ backlog }) => backlog,
  Oldest: ({ backlog, oldestSeconds }) => (backlog === 0 ? '–' : `${oldestSeconds} s`),
  Workers: ({ workers }) => (workers === 0 ? ui.badge('none', 'bad') : workers),
}
