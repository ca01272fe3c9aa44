import { randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

type SignedHeaders = Record<string, string>

/** Invalid signatures that the other side must reject. */
export const forgeries = [
  'wrong_signature',
  'wrong_secret',
  'old_timestamp',
  'other_id',
  'other_message',
  'unsigned',
] as const
type Forgery = (typeof forgeries)[number]

const TOO_OLD_MS = 600_000

export type Signatures = {
  /** Whether one signature is valid for these bytes and the timestamp is within 300 s. */
  verify(headers: Record<string, string | string[] | undefined>, body: Buffer): boolean
  sign(id: string, body: string, forgery?: Forgery): SignedHeaders
}

/** An id for a message from the venue. */
export const newMessageId = () => `msg_${randomUUID().replaceAll('-', '')}`

/** Standard Webhooks with the secret issued by the network (whsec_…). */
export function createSignatures(secret: string): Signatures {
  const webhook = new Webhook(secret)
  const stranger = new Webhook(`whsec_${randomBytes(32).toString('base64')}`)

  const headers = (id: string, body: string, signer = webhook, at = new Date()) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signer.sign(id, at, body),
  })

  return {
    verify(received, body) {
      try {
        webhook.verify(body, received as Record<string, string>, { jsonParse: false })
        return true
      } catch {
        return false
      }
    },
    sign(id, body, forgery) {
      switch (forgery) {
        case undefined:
          return headers(id, body)
        case 'wrong_signature':
          return { ...headers(id, body), 'webhook-signature': `v1,${'A'.repeat(43)}=` }
        case 'wrong_secret':
          return headers(id, body, stranger)
        case 'old_timestamp':
          return headers(id, body, webhook, new Date(Date.now() - TOO_OLD_MS))
        case 'other_id':
          return headers(newMessageId(), body)
        case 'other_message':
          return { ...headers(newMessageId(), body), 'webhook-id': id }
        case 'unsigned':
          return {}
      }
    },
  }
}
