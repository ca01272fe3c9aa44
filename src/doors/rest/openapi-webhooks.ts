import { z } from 'zod'
import { eventTypes } from '../../webhooks/rules/event-types.ts'
import { eventBody, eventData } from '../../webhooks/schema/event-bodies.ts'
import { type JsonSchema, jsonSchemaOf, type NamedSchemas } from '../calls/json-schema.ts'

/** A reference to what the document defines under a name. */
export const ref = (section: string, name: string) => ({ $ref: `#/components/${section}/${name}` })

/**
 * A header, described in its schema: generators repeat the description of a parameter at each use.
 */
export const header = (name: string, schema: JsonSchema) => ({
  ...{ name, in: 'header' },
  schema: { type: 'string', ...schema },
})
const sent = (name: string, description: string) => ({
  ...header(name, { description }),
  required: true as const,
})

/** The headers of every request sent to an endpoint. */
export const webhookHeaders = {
  WebhookId: sent('webhook-id', 'The id of the event: the same for every attempt'),
  WebhookTimestamp: sent('webhook-timestamp', 'When this attempt was made, in seconds since 1970'),
  WebhookSignature: sent(
    'webhook-signature',
    '`v1,` and base64; several, separated by spaces, while a secret changes',
  ),
}

/** What an endpoint's answers mean. */
export const webhookResponses = {
  Delivered: { description: 'Delivered' },
  NotDelivered: { description: 'Retried; 410 disables the endpoint, 413 ends the delivery' },
}

/** The requests sent to endpoints, one entry per event type (OpenAPI 3.1, `webhooks`). */
export const webhookDescriptions = (named: NamedSchemas) =>
  Object.fromEntries(
    eventTypes.map((type) => {
      const body = eventBody.extend({ type: z.literal(type), data: eventData[type] })
      const schema = jsonSchemaOf(body, 'output', named)
      const post = {
        operationId: `event_${type.replace('.', '_')}`,
        tags: ['webhook'],
        parameters: Object.keys(webhookHeaders).map((name) => ref('parameters', name)),
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': ref('responses', 'Delivered'),
          default: ref('responses', 'NotDelivered'),
        },
      }
      return [type, { post }]
    }),
  )
