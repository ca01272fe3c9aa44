import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { refuse } from '../../../../contract/rules/errors.ts'
import { type EventType, eventTypes } from '../../../../webhooks/rules/event-types.ts'
import { eventBody, eventData } from '../../../../webhooks/schema/event-bodies.ts'
import { jsonSchemaOf } from '../../../json-schema.ts'
import { codeBlock, jsonText } from '../../components/code.ts'
import { table } from '../../components/table.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { eventDocs } from '../event-docs.ts'
import { dashboardPage } from '../layout.ts'

const PATH = '/dashboard/events/types'
const section = 'events'

/** `/dashboard/events/types`: every type of event, when it is written, its schema and an example. */
export async function eventTypePages(scope: FastifyInstance) {
  scope.get(PATH, async (request, reply) =>
    sendPage(reply, dashboardPage(request, { title: 'Event types', section, body: allView })),
  )

  scope.get<{ Params: { type: string } }>(`${PATH}/:type`, async (request, reply) => {
    const type = eventTypes.find((one) => one === request.params.type)
    if (!type) throw refuse('not_found', 'There is no such event type.')
    return sendPage(reply, dashboardPage(request, { title: type, section, body: typeView(type) }))
  })
}

const allView = html`
<p>Every body has the same members: <code>id</code>, which is the <code>webhook-id</code>, <code>type</code>, <code>timestamp</code>, <code>sequence</code> and <code>data</code>.</p>
${table(
  ['Type', 'When'],
  [...eventDocs].map(([type, { when }]) => [
    html`<a href="${PATH}/${type}"><code>${type}</code></a>`,
    when,
  ]),
  'Event types',
)}
<p><a href="/dashboard/events">Your events</a></p>`

const typeView = (type: EventType): Html => {
  const body = eventBody.extend({ type: z.literal(type), data: eventData[type] })
  const { when = '', example = '' } = eventDocs.get(type) ?? {}
  return html`
<p>${when}</p>
<h2>Example</h2>
${codeBlock(example, `Example of ${type}`)}
<h2>Schema</h2>
${codeBlock(jsonText(jsonSchemaOf(body, 'output')), `JSON Schema of ${type}`)}
<p><a href="/dashboard/events?types=${type}">Your events of this type</a> · <a href="${PATH}">All types</a></p>`
}
