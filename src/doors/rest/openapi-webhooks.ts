import { z } from 'zod'
import { eventTypes } from '../../webhooks/rules/event-types.ts'
import { eventBody, eventData } from '../../webhooks/schema/event-bodies.ts'
import { jsonSchemaOf, type NamedSchemas } from '../calls/json-schema.ts'

/** A reference to what the document defines under a name. */
export const ref = (section: string, name: string) => ({ $ref: `#/components/${section}/${name}` })

const header = (name: string, description: string) => ({
  ...{ name, in: 'header', required: true as const, description },
  schema: { type: 'string' },
})

/** The headers of every request sent to an endpoint. */
export const webhookHeaders = {
  WebhookId: header('webhook-id', 'The id of the event: the same for every attempt'),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970',
  ),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and base64; several, separated by spaces, while a secret changes',
  ),
}
const headers = Object.keys(webhookHeaders).map((name) => ref('parameters', name))

/** The requests sent to endpoints, one entry per event type (OpenAPI 3.1, `webhooks`). */
export const webhookDescriptions = (named: NamedSchemas) =>
  Object.fromEntries(
    eventTypes.map((type) => {
      const body = eventBody.extend({ type: z.literal(type), data: eventData[type] })
      const schema = jsonSchemaOf(body, 'output', named)
      const post = {
        operationId: `event_${type.replace('.', '_')}`,
        summary: type,
        tags: ['webhook'],
        parameters: headers,
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': { description: 'Delivered' },
          default: { description: 'Retried; 410 disables the endpoint, 413 ends the delivery' },
        },
      }
      return [type, { post }]
    }),
  )
