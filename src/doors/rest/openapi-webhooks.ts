import { z } from 'zod'
import { eventTypes } from '../../webhooks/rules/event-types.ts'
import { eventBody, eventData } from '../../webhooks/schema/event-bodies.ts'
import { jsonSchemaOf, type SharedSchemas } from '../calls/json-schema.ts'

const headers = Object.entries({
  'webhook-id': 'The id of the event: the same for every attempt',
  'webhook-timestamp': 'When this attempt was made, in seconds since 1970',
  'webhook-signature': '`v1,` and base64; several, separated by spaces, while a secret changes',
}).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}))

/** The requests sent to endpoints, one entry per event type (OpenAPI 3.1, `webhooks`). */
export const webhookDescriptions = (refs: SharedSchemas) =>
  Object.fromEntries(
    eventTypes.map((type) => {
      const body = eventBody.extend({ type: z.literal(type), data: eventData[type] })
      const schema = jsonSchemaOf(body, 'output', refs)
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
