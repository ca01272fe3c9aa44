import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type FastifyReply, fastify } from 'fastify'
import { languages } from '../../base/languages.ts'
import { templatesIn } from '../../notices/rules/whatsapp-templates.ts'
import { type Bubble, type Button, bubbleOf, type Sent } from './bubbles.ts'
import { phonePage } from './phone-page.ts'
import { type Controls, createRefusalOf, statuses } from './refusals.ts'

const RETRIES_MS = [0, 200, 500, 1_000, 2_000, 4_000, 8_000]
const BUSINESS_NUMBER = '15550783881'
const PHONE_NUMBER_ID = '106540352242922'

const secret = () => randomBytes(18).toString('base64url')
const unixNow = () => String(Math.floor(Date.now() / 1000))
const newId = (number: string) =>
  `wamid.${Buffer.concat([Buffer.from(number), randomBytes(16)]).toString('base64')}`

/**
 * A stand-in of Meta's Cloud API on this machine, whose answers, errors and webhooks have the
 * documented shapes, and a page that shows the phones. It forgets everything when it stops.
 * `callback` is where webhooks go; links in messages begin with `publicUrl`.
 */
export async function openWhatsApp(
  callback: () => string,
  { port = 0, publicUrl }: { port?: number; publicUrl: string },
) {
  const settings = {
    WHATSAPP_PHONE_NUMBER_ID: PHONE_NUMBER_ID,
    WHATSAPP_TOKEN: secret(),
    WHATSAPP_APP_SECRET: secret(),
    WHATSAPP_VERIFY_TOKEN: secret(),
  }
  const definitions = languages.flatMap((language) => templatesIn(language, publicUrl))
  const bubbles: Bubble[] = []
  const sent: Sent[] = []
  const controls: Controls = {
    templates: new Map(),
    lines: new Map(),
    isShuffled: false,
    perSecond: 80,
    perPair: 45,
  }
  const heard = new Map<string, number>()
  const refusalOf = createRefusalOf(controls, { heard, definitions, number: BUSINESS_NUMBER })
  const closing = new AbortController()
  const pending = new Set<Promise<unknown>>()

  /** Sends a webhook as Meta does: signed, and again until it is answered with 200. */
  async function post(value: object, field = 'messages'): Promise<number> {
    const metadata = { display_phone_number: BUSINESS_NUMBER, phone_number_id: PHONE_NUMBER_ID }
    const changes = [{ field, value: { messaging_product: 'whatsapp', metadata, ...value } }]
    const entry = [{ id: '102290129340398', changes }]
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry })
    const hmac = createHmac('sha256', settings.WHATSAPP_APP_SECRET).update(body).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${hmac}` }
    let status = 0
    for (const pause of RETRIES_MS) {
      if (pause > 0) await setTimeout(pause, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return status
      const answer = await fetch(callback(), { method: 'POST', headers, body }).catch(
        () => undefined,
      )
      status = answer?.status ?? 0
      await answer?.body?.cancel()
      if (status === 200) break
    }
    return status
  }

  function report(bubble: Bubble, words: readonly string[], code?: number): void {
    const { id, number: recipient_id, opaque } = bubble
    const errors = code && [{ code, title: 'An error', message: 'An error' }]
    const more = { ...(opaque && { biz_opaque_callback_data: opaque }), ...(errors && { errors }) }
    const inOrder = async () => {
      for (const status of words) {
        await post({ statuses: [{ id, status, timestamp: unixNow(), recipient_id, ...more }] })
      }
    }
    const work = inOrder()
    pending.add(work)
    void work.finally(() => pending.delete(work))
  }

  function receive(message: Sent, reply: FastifyReply) {
    const { to } = message
    sent.push(message)
    const { now, later } = refusalOf(message)
    if (now) {
      const error = { message: `(#${now.code})`, type: 'OAuthException', ...now, fbtrace_id: 'A' }
      return reply.status(now.status).send({ error })
    }
    const bubble = bubbleOf(newId(to), message, definitions)
    if (later) report(bubble, ['failed'], later)
    else {
      bubbles.push(bubble)
      report(bubble, controls.isShuffled ? statuses.shuffled : statuses.inOrder)
    }
    // The connection stays open, as when an answer is lost.
    if (controls.lines.get(to) === 'silent') return reply.hijack()
    const contacts = [{ input: to, wa_id: to }]
    return reply.send({ messaging_product: 'whatsapp', contacts, messages: [{ id: bubble.id }] })
  }

  /** Sends what a person wrote or pressed; returns how the network answered. */
  function write(from: string, message: object, id = newId(from)): Promise<number> {
    heard.set(from, Date.now())
    const contacts = [{ profile: { name: 'Phone' }, wa_id: from }]
    return post({ contacts, messages: [{ from, id, timestamp: unixNow(), ...message }] })
  }

  const own = (to: string, body: string) => {
    const bubble = bubbleOf(newId(to), { to, type: 'text', text: { body } }, [])
    bubbles.push({ ...bubble, isOwn: true })
  }
  const phones = {
    /** Presses a button or chooses from a list; `id` is that of a repeated press. */
    press(bubble: Bubble, { title, press }: Button, by = bubble.number, id = newId(by)) {
      own(by, title)
      return write(by, { context: { from: BUSINESS_NUMBER, id: bubble.id }, ...press }, id)
    },
    say(number: string, body: string) {
      own(number, body)
      return write(number, { type: 'text', text: { body } })
    },
    /** Reads every message that a phone shows. */
    read(number: string): void {
      for (const bubble of bubbles.filter((one) => one.number === number && !one.isRead)) {
        bubble.isRead = true
        if (!bubble.isOwn) report(bubble, ['read'])
      }
    },
  }

  const app = fastify({ bodyLimit: 256 * 1024, forceCloseConnections: true })
  const form = 'application/x-www-form-urlencoded'
  app.addContentTypeParser(form, { parseAs: 'string' }, async (_: unknown, body: string) =>
    Object.fromEntries(new URLSearchParams(body)),
  )
  const path = `/${PHONE_NUMBER_ID}/messages`
  app.post<{ Body: Sent }>(path, async ({ headers, body }, reply) =>
    headers.authorization === `Bearer ${settings.WHATSAPP_TOKEN}`
      ? receive(body, reply)
      : reply.status(401).send({ error: { message: 'No access', code: 190 } }),
  )
  const pagePath = `/phone/${secret()}`
  phonePage(app, pagePath, { bubbles, ...phones })
  const url = await app.listen({ host: '127.0.0.1', port })
  return {
    ...{ url, bubbles, sent, controls, write, post, ...phones },
    phoneUrl: url + pagePath,
    /** what the network needs to use it */
    settings: { ...settings, WHATSAPP_API_URL: url },
    /** Resolves when no webhook is waiting to be sent. */
    async settled() {
      while (pending.size > 0) await Promise.allSettled(pending)
    },
    async stop() {
      closing.abort()
      await app.close()
      await Promise.allSettled(pending)
    },
  }
}
