import { z } from 'zod'
import type { Outbound } from '../../platform/http/client.ts'
import { OutboundError } from '../../platform/http/failure.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { ChannelSender, SendResult } from '../rules/channel.ts'
import { errorMeaning, failureText } from '../rules/whatsapp-errors.ts'
import { type Content, templateContent } from '../rules/whatsapp-message.ts'
import { messageKey, payloadText } from '../rules/whatsapp-payload.ts'
import type { WhatsAppSettings } from '../rules/whatsapp-settings.ts'

const DEADLINE_MS = 8_000
const MAX_BODY_BYTES = 16 * 1024

/** What sending through the Cloud API needs. */
export type WhatsAppDeps = {
  outbound: Pick<Outbound, 'send'>
  log: Log
  settings: WhatsAppSettings
}
type Recipient = { to: string; attemptId?: string; inReplyTo?: string }

const answerBody = z.object({
  messages: z.array(z.object({ id: z.string().min(1) })).optional(),
  error: z.object({ code: z.int() }).optional(),
})

/**
 * Sends a message through the Cloud API, which has no idempotency keys; later statuses contain the
 * id of the attempt (`biz_opaque_callback_data`). Throws if the same message may succeed later;
 * only an `OutboundError` that is `sent` leaves open whether it was sent.
 */
export async function postMessage(
  { outbound, log, settings }: WhatsAppDeps,
  content: Content,
  { to, attemptId, inReplyTo }: Recipient,
  signal?: AbortSignal,
): Promise<SendResult> {
  const { apiUrl, phoneNumberId, token } = settings
  const answer = await outbound.send({
    url: `${apiUrl}/${phoneNumberId}/messages`,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: to.replace('+', ''),
      ...content,
      ...(inReplyTo && { context: { message_id: inReplyTo } }),
      ...(attemptId && { biz_opaque_callback_data: attemptId }),
    }),
    deadlineMs: DEADLINE_MS,
    maxBodyBytes: MAX_BODY_BYTES,
    signal,
  })
  const { messages, error } = parsed(answer.body)
  const id = messages?.[0]?.id
  if (answer.status === 200 && id) return { status: 'sent', providerId: messageKey(id) }
  if (!error) {
    const what = `WhatsApp answered ${answer.status} without a code.`
    throw new OutboundError('bad_answer', { what, sent: true })
  }
  const { again, advice, ends } = errorMeaning(error.code)
  const failure = failureText(error.code)
  if (advice) log.error({ attempt_id: attemptId, failure }, advice)
  if (again) throw new Error(failure)
  return { status: 'failed', failure, ...(ends && { ends }) }
}

function parsed(body: Buffer): z.infer<typeof answerBody> {
  try {
    return answerBody.parse(JSON.parse(body.toString('utf8')))
  } catch {
    return {}
  }
}

/** Sends notices by WhatsApp, each by the template of its kind and language. */
export const createWhatsAppSender =
  (deps: WhatsAppDeps, sealer: Pick<Sealer, 'tokens'>): ChannelSender =>
  (message, to, _, signal) => {
    const { attemptId } = message
    const content = templateContent(message, (answer, choice) =>
      payloadText(sealer, { answer, attemptId, choice }),
    )
    return postMessage(deps, content, { to, attemptId }, signal)
  }
