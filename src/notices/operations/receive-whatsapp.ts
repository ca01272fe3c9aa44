import { insertProviderEvent, isKnownEvent } from '../../platform/database/provider-events.ts'
import { transaction } from '../../platform/database/sql.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import { channelDigests } from '../rules/channel.ts'
import { errorMeaning, failureText, templateAdvice } from '../rules/whatsapp-errors.ts'
import type { Content } from '../rules/whatsapp-message.ts'
import { messageKey } from '../rules/whatsapp-payload.ts'
import {
  type MessageEvent,
  messageEvent,
  statusEvent,
  webhookBody,
  webhookChange,
} from '../schema/whatsapp-events.ts'
import { recordStatus } from '../steps/record-status.ts'
import { stopAddress } from '../steps/stop-address.ts'
import { endChannel, isOptedOut, selectChannelsByDigest } from '../store/channels.ts'
import { selectChannelOf, updateHeardAt } from '../store/whatsapp.ts'
import {
  helpReply,
  pressReply,
  type ReceiveDeps,
  type Sender,
  stopReply,
} from './whatsapp-replies.ts'

/** Meta repeats a webhook for days unless it is answered with 200. */
const PROVIDER = 'whatsapp'
const stopWord = /^(stop|berhenti|henti|hentikan|unsubscribe|стоп|отпис\p{L}*)$/iu

/** A short text that begins with the word, whatever stands around it. */
function isStop(text: string): boolean {
  const [first = '', ...more] = text.replace(/\p{Cf}/gu, '').match(/\p{L}+/gu) ?? []
  return more.length < 3 && stopWord.test(first)
}

/**
 * Receives a webhook of the Cloud API, whose parts may be repeated, late and out of order. Each is
 * processed on its own; returns how many failed on our side, so that Meta sends the webhook again.
 */
export async function receiveWhatsApp(deps: ReceiveDeps, body: unknown): Promise<number> {
  let failed = 0
  for (const receive of partsOf(deps, body)) {
    try {
      await receive()
    } catch (error) {
      failed += 1
      deps.log.warn({ error: loggable(error) }, 'a part of a WhatsApp webhook failed')
    }
  }
  return failed
}

/** What a webhook contains, as work to do; malformed parts are logged and left out. */
function partsOf(deps: ReceiveDeps, body: unknown): (() => Promise<unknown>)[] {
  const { log, phoneNumberId } = deps
  const malformed = (part: string) => {
    log.warn({ part }, 'a malformed part of a WhatsApp webhook was ignored')
    return []
  }
  const { data } = webhookBody.safeParse(body)
  if (!data) return malformed('body')
  return data.entry.flatMap(({ changes }) =>
    changes.flatMap((raw) => {
      const change = webhookChange.safeParse(raw).data
      if (!change) return malformed('change')
      const { field, value } = change
      if (field === 'message_template_status_update') return [async () => noteTemplate(log, value)]
      if (field !== 'messages' || value.metadata?.phone_number_id !== phoneNumberId) return []
      const statuses = value.statuses.flatMap((one) => {
        const event = statusEvent.safeParse(one).data
        return event ? [() => receiveStatus(deps, event)] : malformed('status')
      })
      const messages = value.messages.flatMap((one) => {
        const event = messageEvent.safeParse(one).data
        return event ? [() => receiveMessage(deps, event)] : malformed('message')
      })
      return [...statuses, ...messages]
    }),
  )
}

type TemplateState = ReturnType<typeof webhookChange.parse>['value']

function noteTemplate(log: Log, value: TemplateState): void {
  const { event, message_template_name: template, message_template_language: language } = value
  const line = { template, language, event, reason: value.reason }
  if (event === 'APPROVED') log.info(line, 'WhatsApp has approved a template')
  else log.error(line, templateAdvice)
}

async function receiveStatus(
  { db, engine }: ReceiveDeps,
  event: ReturnType<typeof statusEvent.parse>,
): Promise<void> {
  const { id, status, timestamp, errors, biz_opaque_callback_data: attemptId } = event
  const code = errors?.[0]?.code ?? 0
  const failure = status === 'failed' ? failureText(code) : undefined
  const { ends, again } = status === 'failed' ? errorMeaning(code) : {}
  const about = attemptId ? { attemptId } : { providerId: messageKey(id) }
  await recordStatus(db, engine, about, {
    // Meta's seconds would put it before what led to it.
    ...{ status, at: new Date(), failure, isTemporary: again },
  })
  const channelId = ends && (await selectChannelOf(db, about))
  if (channelId) await endChannel(db, channelId, ends, timestamp)
}

async function receiveMessage(deps: ReceiveDeps, event: MessageEvent): Promise<void> {
  const { db, sealer, log } = deps
  // A message's id contains the number, so only a digest of it is stored.
  const key = messageKey(event.id)
  if (await isKnownEvent(db, PROVIDER, key)) return
  const digests = channelDigests(sealer, 'whatsapp', `+${event.from}`)
  const channels = await selectChannelsByDigest(db, digests)
  const sender = { digests, channels }
  const content = await answerTo(deps, event, sender)
  const { timestamp: at, type } = event
  const ids = channels.map(({ id }) => id)
  const isNew = await transaction(db, async (tx) => {
    await updateHeardAt(tx, ids, at)
    return insertProviderEvent(tx, PROVIDER, { id: key, type, at })
  })
  log.info({ message_id: key, type, channels: ids }, 'a WhatsApp message was received')
  if (content && isNew > 0) await deps.reply(content, event.from, event.id)
}

/** Does what a message asks for, once however often it comes; returns the answer to send. */
async function answerTo(
  deps: ReceiveDeps,
  event: MessageEvent,
  sender: Sender,
): Promise<Content | undefined> {
  const { db } = deps
  const { timestamp: at, interactive, button, text } = event
  const { digests, channels } = sender
  if (event.type === 'system') {
    // `user_changed_number`, not `customer_identity_changed`, which is a new phone.
    const isRecycled = event.system?.type.startsWith('user_changed')
    for (const { id } of isRecycled ? channels : []) await endChannel(db, id, 'recycled', at)
    return undefined
  }
  // Who said STOP gets no answers either.
  if (await isOptedOut(db, digests)) return undefined
  const reply = interactive?.list_reply ?? interactive?.button_reply
  const payload = button?.payload ?? reply?.id
  if (payload) {
    const press = { payload, pressId: messageKey(event.id), inReplyTo: event.context?.id }
    return pressReply(deps, press, sender, new Date())
  }
  if (!text || !isStop(text.body)) return helpReply(deps, sender, at)
  const isNew = await stopAddress(deps, digests, 'stopped', at)
  return isNew ? stopReply(deps, sender, at) : undefined
}
