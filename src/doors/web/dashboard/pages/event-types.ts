import { z } from 'zod'
import { refuse } from '../../../../contract/rules/errors.ts'
import { eventTypes } from '../../../../webhooks/rules/event-types.ts'
import { eventBody, eventData } from '../../../../webhooks/schema/event-bodies.ts'
import { jsonSchemaOf } from '../../../json-schema.ts'
import * as ui from '../../components.ts'
import { paramsOf } from '../../forms.ts'
import { html } from '../../html.ts'
import { eventDocs } from '../event-docs.ts'
import { type Page, showPage } from '../page-kit.ts'

const PATH = '/dashboard/events/types'

/** `/dashboard/events/types`: each type of event, when it is written, its schema and an example. */
export const eventTypePages: Page = async (scope) => {
  scope.get(PATH, (_, reply) => showPage(reply, 'Event types', catalogueView))

  scope.get(`${PATH}/:type`, async (request, reply) => {
    const type = eventTypes.find((one) => one === paramsOf(request).type)
    if (!type) throw refuse('not_found', 'There is no such event type.')
    const schema = eventBody.extend({ type: z.literal(type), data: eventData[type] })
    const { when, example = '' } = eventDocs.get(type) ?? {}
    const body = html`
<p>${when}</p>
<h2>Example</h2>
${ui.codeBlock(example, `Example of ${type}`)}
<h2>Schema</h2>
${ui.codeBlock(ui.jsonText(jsonSchemaOf(schema, 'output')), `JSON Schema of ${type}`)}
<p>${ui.link(`/dashboard/events?types=${type}`, 'Your events of this type')} ·
${ui.link(PATH, 'All types')}</p>`
    return showPage(reply, type, body)
  })
}

const columns = {
  Type: ([type]: [string, unknown]) => ui.link(`${PATH}/${type}`, html`<code>${type}</code>`),
  When: ([, { when }]: [string, { when: string }]) => when,
}

const catalogueView = html`
<p>Every body has the same members: <code>id</code>, which is the <code>webhook-id</code>,
<code>type</code>, <code>timestamp</code>, <code>sequence</code> and <code>data</code>.</p>
${ui.listTable('Event types', [...eventDocs], columns)}
<p>${ui.link('/dashboard/events', 'Your events')}</p>`
