import { createECDH } from 'node:crypto'
import { z } from 'zod'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../base/durations.ts'
import type { Outbound } from '../../platform/http/client.ts'
import type { ChannelSender } from '../rules/channel.ts'
import { isRequest, type NoticeMessage } from '../rules/message.ts'
import { noticeTitle } from '../rules/notice-text.ts'

const DEADLINE_MS = 10_000

/** The key with which push services know this network, and whom they can ask (RFC 8292). */
export type PushKeys = { privateKey: string; publicKey: string; subject: string }

/** The keys from the private one, a P-256 number in base64url; `contact` is an email or a URL. */
export function pushKeysOf(privateKey: string, contact: string): PushKeys {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(privateKey, 'base64url')
  const subject = contact.includes('://') ? contact : `mailto:${contact}`
  return { privateKey, publicKey: curve.getPublicKey().toString('base64url'), subject }
}

/** What a browser returns when its user allows notifications (Push API, `PushSubscription`). */
export const pushSubscription = z.object({
  endpoint: z.url({ protocol: /^https$/ }).max(2_000),
  keys: z.object({
    // an uncompressed P-256 point, and 16 random bytes
    p256dh: z.string().regex(/^[\w-]{87}=?$/),
    auth: z.string().regex(/^[\w-]{22}={0,2}$/),
  }),
})

/** Notifies a browser, which alone can read the message (RFC 8291). */
export const createPushSender =
  (outbound: Pick<Outbound, 'send'>, vapidDetails: PushKeys): ChannelSender =>
  async (message, address, _, signal) => {
    const { attemptId, kind } = message
    const { default: webPush } = await import('web-push')
    const { endpoint, headers, body } = webPush.generateRequestDetails(
      pushSubscription.parse(JSON.parse(address)),
      JSON.stringify(notificationOf(message)),
      {
        ...{ vapidDetails, TTL: secondsToLive(message) },
        urgency: isRequest(kind) ? 'high' : 'normal',
        // a notification sent again replaces the first (RFC 8030, 5.4)
        topic: attemptId.replaceAll('-', ''),
      },
    )
    const { 'Content-Length': _length, ...sent } = headers
    const { status } = await outbound.send({
      ...{ url: endpoint, method: 'POST', body, signal, deadlineMs: DEADLINE_MS },
      headers: Object.fromEntries(Object.entries(sent).map(([name, text]) => [name, String(text)])),
      maxBodyBytes: 4 * 1024,
    })
    if (status >= 200 && status < 300) return { status: 'sent' }
    const failure = `status ${status}`
    if (status === 404 || status === 410) return { status: 'failed', failure, ends: 'gone' }
    if (status === 408 || status === 429 || status >= 500) throw new Error(failure)
    return { status: 'failed', failure }
  }

/** What the service worker shows. A locked screen shows it too, so it does not name the guest. */
function notificationOf(message: NoticeMessage) {
  const { title, when, size } = noticeTitle(message)
  const { venue, language, attemptId, url } = message
  return {
    title: `${title}: ${when}`,
    body: `${size} · ${venue.name}`,
    language,
    tag: attemptId,
    url,
  }
}

/** Until when a browser that is offline may still get the notification. */
function secondsToLive({ kind, booking, at }: NoticeMessage): number {
  const until = isRequest(kind) ? booking?.answerBy?.getTime() : undefined
  const ms = (until ?? at.getTime() + DAY_MS / 2) - at.getTime()
  return Math.floor(Math.max(MINUTE_MS, ms) / SECOND_MS)
}
