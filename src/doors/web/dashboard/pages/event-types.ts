import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { refuse } from '../../../../contract/rules/errors.ts'
import { type EventType, eventTypes } from '../../../../webhooks/rules/event-types.ts'
import { eventBody, eventData } from '../../../../webhooks/schema/event-bodies.ts'
import { jsonSchemaOf } from '../../../json-schema.ts'
import * as ui from '../../components.ts'
import { withCode } from '../../docs/with-code.ts'
import { paramsOf } from '../../forms.ts'
import { html } from '../../html.ts'
import { type Page, showPage } from '../page-kit.ts'

const FILE = 'docs/protocols/webhook-events.md'
const page = readFileSync(join(import.meta.dirname, '../../../../..', FILE), 'utf8')

/** When each type of event is written and an example body, from the docs. A test compares them. */
const eventDocs: ReadonlyMap<EventType, { when: string; example: string }> = new Map(
  eventTypes.map((type) => [type, { when: whenOf(type), example: exampleOf(type) }]),
)

function whenOf(type: EventType): string {
  const line = page.split('\n').find((one) => one.startsWith(`| [\`${type}\`](`))
  if (!line) throw new Error(`${FILE} does not say when ${type} is written`)
  return (line.split('|')[2] ?? '')
    .trim()
    .replaceAll(/ \(\[[^\]]+\]\([^)]*\)\)/g, '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
}

function exampleOf(type: EventType): string {
  const [, after = ''] = page.split(`\n## ${type}\n\`\`\`json\n`)
  const [text = ''] = after.split('\n```')
  return JSON.stringify(JSON.parse(text), null, 2)
}

const PATH = '/dashboard/events/types'

/** `/dashboard/events/types`: each type of event, when it is written, its schema and an example. */
export const eventTypePages: Page = async (scope) => {
  scope.get(PATH, (_, reply) =>
    showPage(reply, 'Event types', catalogueView, { crumbs: [['Events', '/dashboard/events']] }),
  )

  scope.get(`${PATH}/:type`, async (request, reply) => {
    const type = eventTypes.find((one) => one === paramsOf(request).type)
    if (!type) throw refuse('not_found', 'There is no such event type.')
    const schema = eventBody.extend({ type: z.literal(type), data: eventData[type] })
    const { when, example = '' } = eventDocs.get(type) ?? {}
    const body = html`
<p>${withCode(when ?? '')}</p>
<h2>Example</h2>
${ui.codeBlock(example, `Example of ${type}`)}
<h2>Schema</h2>
${ui.codeBlock(ui.jsonText(jsonSchemaOf(schema, 'output')), `JSON Schema of ${type}`)}
<p>${ui.link(`/dashboard/events?types=${type}`, 'Your events of this type')}</p>`
    const crumbs = [['Events', '/dashboard/events'] as const, ['Types', PATH] as const]
    return showPage(reply, type, body, { crumbs })
  })
}

const columns = {
  Type: ([type]: [string, unknown]) => ui.rowLink(`${PATH}/${type}`, type),
  When: ([, { when }]: [string, { when: string }]) => withCode(when),
}

const catalogueView = html`
<p>Every event has an <code>id</code> (also sent as <code>webhook-id</code>), a <code>type</code>, a
<code>timestamp</code>, a <code>sequence</code> and <code>data</code>.</p>
${ui.listTable('Event types', [...eventDocs], columns)}`
