import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { receiveWhatsApp } from '../../notices/operations/receive-whatsapp.ts'
import { whatsAppOf } from '../../notices/rules/whatsapp-settings.ts'
import { postMessage } from '../../notices/steps/send-whatsapp.ts'
import { createOutbound } from '../../platform/http/client.ts'
import { connectorPolicy } from '../../platform/http/target.ts'
import { loggable } from '../../platform/telemetry/log.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { bodyBytes, keepBodyBytes, readJsonObject } from '../http/json-body.ts'

const PATH = '/whatsapp/events'
/** Meta's limit for one webhook. */
const BODY_LIMIT_BYTES = 3 * 1024 * 1024

// Cloud API, "Verification requests".
const verification = z.object({
  'hub.mode': z.literal('subscribe'),
  'hub.verify_token': z.string(),
  'hub.challenge': z.string().regex(/^[\w-]{1,200}$/),
})

/** Receives what becomes of WhatsApp messages, and the answers: docs/operate/whatsapp.md. */
export async function whatsAppDoor(scope: FastifyInstance, deps: DoorDeps) {
  const { services, guards, config, log, publicUrl } = deps
  const settings = whatsAppOf(config)
  if (!settings) return
  const { phoneNumberId, appSecret, verifyToken } = settings
  const outbound = createOutbound(connectorPolicy(config))
  scope.addHook('onClose', () => outbound.close())
  keepBodyBytes(scope)

  scope.get(PATH, async (request, reply) => {
    guards.admit()
    const challenge = await guards.requireSigned(request, async () => {
      const { data } = verification.safeParse(request.query)
      if (!data || !isSame(data['hub.verify_token'], verifyToken)) {
        throw refuse('bad_signature')
      }
      return data['hub.challenge']
    })
    return reply.type('text/plain; charset=utf-8').send(challenge)
  })

  const { db, engine, egress: sealer } = services
  const receiving = {
    ...{ db, engine, sealer, publicUrl, phoneNumberId, log },
    async reply(...[content, to, inReplyTo]: Parameters<Reply>) {
      const sending = { outbound, log, settings }
      await postMessage(sending, content, { to, inReplyTo }).catch((error: unknown) =>
        log.warn({ error: loggable(error) }, 'an answer by WhatsApp was not sent'),
      )
    },
  }
  scope.route({
    method: 'POST',
    url: PATH,
    bodyLimit: BODY_LIMIT_BYTES,
    handler: async (request) => {
      guards.admit()
      await guards.requireSigned(request, async () => {
        const signature = [request.headers['x-hub-signature-256'] ?? ''].flat()[0] ?? ''
        if (!isSame(signature, signatureOf(appSecret, bodyBytes(request))))
          throw refuse('bad_signature')
      })
      const failed = await receiveWhatsApp(receiving, readJsonObject(request))
      // Meta sends the webhook again, and what succeeded is recognized.
      if (failed > 0) throw refuse('service_unavailable', 'Some of it could not be stored.')
      return { received: true }
    },
  })
}

type Reply = Parameters<typeof receiveWhatsApp>[0]['reply']

/** The value of `x-hub-signature-256` for a body. */
const signatureOf = (appSecret: string, body: string | Buffer): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`

/** Compares without telling by its duration how much is the same. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(sha256(one), sha256(other))

const sha256 = (text: string) => createHash('sha256').update(text).digest()
