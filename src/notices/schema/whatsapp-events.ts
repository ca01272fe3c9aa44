import { z } from 'zod'

const unixTime = z
  .string()
  .regex(/^\d{9,11}$/)
  .transform((seconds) => new Date(Number(seconds) * 1000))
const id = z.string().min(1).max(255)
const number = z.string().regex(/^\d{5,15}$/)
const errors = z.array(z.object({ code: z.int() })).optional()

/** Cloud API, "statuses": what became of a message that we sent. */
export const statusEvent = z.object({
  id,
  status: z.enum(['sent', 'delivered', 'read', 'failed']),
  timestamp: unixTime,
  biz_opaque_callback_data: z.uuid().optional().catch(undefined),
  errors,
})

const choice = z.object({ id: z.string().max(256) })
/** Cloud API, "messages": what a person wrote or pressed. */
export const messageEvent = z.object({
  id,
  from: number,
  timestamp: unixTime,
  type: z.string().regex(/^\w{1,50}$/),
  text: z.object({ body: z.string().max(5000) }).optional(),
  button: z.object({ payload: z.string().max(256) }).optional(),
  interactive: z
    .object({ button_reply: choice.optional(), list_reply: choice.optional() })
    .optional(),
  system: z.object({ type: z.string().max(50) }).optional(),
  context: z.object({ id: id.optional() }).optional(),
})
export type MessageEvent = z.infer<typeof messageEvent>

const list = z.array(z.unknown()).max(1000).default([])
const change = z.object({
  field: z.string(),
  value: z.object({
    metadata: z.object({ phone_number_id: z.string() }).optional(),
    statuses: list,
    messages: list,
    event: z.string().max(50).optional(),
    message_template_name: z.string().max(512).optional(),
    message_template_language: z.string().max(20).optional(),
    reason: z.string().max(1000).nullish(),
  }),
})

/** The body of a webhook; what it contains is parsed one by one, so that none spoils the others. */
export const webhookBody = z.object({
  entry: z.array(z.object({ changes: z.array(z.unknown()).max(1000) })).max(1000),
})
export const webhookChange = change
