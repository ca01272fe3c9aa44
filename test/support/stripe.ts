import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'

/** The cards of the simulation, by what happens when they are charged. */
export type StripeCard = 'works' | 'declined' | 'action' | 'silent'

type Thing = Record<string, any> & { id: string }

export const WEBHOOK_SECRET = 'whsec_test_of_the_simulation'

/**
 * The part of Stripe's API that we use, with state, over HTTP: answers have the fields that our
 * code reads, named and typed as Stripe's are. A repeated idempotency key gets its first answer.
 */
export async function openStripeSimulation() {
  const things = new Map<string, Thing>()
  const answers = new Map<string, { status: number; body: unknown; cut?: boolean }>()
  /** the next requests get no answer, either after or before they take effect */
  let failing: 'no' | 'after' | 'before' = 'no'
  const requests: string[] = []
  /** how the next charges are refused before they reach the card */
  let refusal: { code?: string; param?: string } | undefined

  const put = <T extends Thing>(thing: T): T => {
    things.set(thing.id, thing)
    return thing
  }
  const all = (kind: string) => [...things.values()].filter(({ object }) => object === kind)
  const idOf = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 24)}`

  function charge(fields: Thing | Record<string, any>, card: StripeCard): Thing {
    const isGood = card === 'works' || card === 'silent'
    return put({
      id: idOf('pi'),
      object: 'payment_intent',
      created: Math.floor(Date.now() / 1000),
      metadata: {},
      last_payment_error: isGood
        ? null
        : card === 'action'
          ? { code: 'authentication_required', decline_code: 'authentication_required' }
          : { code: 'card_declined', decline_code: 'insufficient_funds' },
      status: isGood
        ? fields.capture_method === 'manual'
          ? 'requires_capture'
          : 'succeeded'
        : 'requires_payment_method',
      amount_received: isGood && fields.capture_method !== 'manual' ? Number(fields.amount) : 0,
      amount_refunded: 0,
      ...fields,
      payment_method: methodOf(card),
    })
  }

  function answer(method: string, path: string, given: Record<string, any>) {
    const [, , kind = '', id = '', act = ''] = path.split('/')
    const found = things.get(kind === 'checkout' ? act : id)
    if (method === 'POST' && kind === 'customers') {
      return ok(put({ id: idOf('cus'), object: 'customer', ...given }))
    }
    if (kind === 'checkout') {
      if (method === 'POST' && path.endsWith('/expire')) {
        if (found?.status !== 'open') return refused('checkout_session_not_open')
        found.status = 'expired'
        return ok(found)
      }
      if (method === 'POST') {
        const session = idOf('cs')
        return ok(
          put({
            object: 'checkout.session',
            status: 'open',
            payment_intent: null,
            setup_intent: null,
            ...given,
            id: session,
            url: `https://checkout.stripe.example/c/${session}`,
          }),
        )
      }
      return found ? ok(expanded(found)) : missing()
    }
    if (kind === 'payment_intents' && (act === 'capture' || act === 'cancel')) {
      if (found?.status !== 'requires_capture') return refused('payment_intent_unexpected_state')
      found.status = act === 'capture' ? 'succeeded' : 'canceled'
      found.amount_received = Number(given.amount_to_capture ?? 0)
      return ok(found)
    }
    if (kind === 'payment_intents' && method === 'POST') {
      if (Number(given.amount) < 50) return refused('amount_too_small')
      if (refusal) return refused(refusal.code ?? '', refusal.param)
      const card = String(given.payment_method).replace('pm_', '') as StripeCard
      const intent = charge({ ...given, amount: Number(given.amount) }, card)
      const error = intent.last_payment_error
      if (!error) return { ...ok(intent), cut: card === 'silent' }
      return {
        status: 402,
        body: {
          error: { type: 'card_error', message: 'declined', ...error, payment_intent: intent },
        },
      }
    }
    if (kind === 'refunds' && method === 'POST') {
      const intent = things.get(given.payment_intent)
      const amount = Number(given.amount)
      if (!intent || intent.amount_refunded + amount > intent.amount_received) {
        return refused('charge_already_refunded')
      }
      intent.amount_refunded += amount
      const refund = { object: 'refund', status: 'succeeded', metadata: {}, failure_reason: null }
      return ok(put({ ...refund, ...given, amount, id: idOf('re') }))
    }
    if (id) return found ? ok(found) : missing()
    const object = kind.replace(/s$/, '')
    const data = all(object).filter((one) =>
      Object.entries(given).every(([name, value]) => name === 'limit' || one[name] === value),
    )
    return ok({ object: 'list', data, has_more: false, url: path })
  }

  const expanded = (session: Thing) => ({
    ...session,
    payment_intent: things.get(session.payment_intent) ?? session.payment_intent,
    setup_intent: things.get(session.setup_intent) ?? session.setup_intent,
  })

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '', 'http://stripe')
    const { method = 'GET' } = request
    requests.push(`${method} ${url.pathname}`)
    if (failing === 'before') return void request.socket.destroy()
    const given = nested(method === 'GET' ? url.searchParams : Buffer.concat(chunks).toString())
    const key = request.headers['idempotency-key']
    const known = typeof key === 'string' && method === 'POST' ? answers.get(key) : undefined
    const said = known ?? answer(method, url.pathname, given)
    if (typeof key === 'string' && method === 'POST') answers.set(key, said)
    if (failing === 'after' || ('cut' in said && said.cut)) return void request.socket.destroy()
    response
      .writeHead(said.status, { 'content-type': 'application/json', 'request-id': 'req_test' })
      .end(JSON.stringify(said.body))
  }

  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const { webhooks } = new Stripe('sk_test_none')

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    fail: (how: typeof failing) => {
      failing = how
    },
    /** The customer pays on a page, or saves a card there. */
    use(pageUrl: string, card: StripeCard) {
      const session = things.get(pageUrl.split('/').at(-1) ?? '')
      if (session?.status !== 'open') throw new Error('the page is not open')
      if (session.mode === 'setup') {
        const method = {
          object: 'setup_intent',
          status: 'succeeded',
          payment_method: methodOf(card),
        }
        session.setup_intent = put({ id: idOf('seti'), ...method }).id
      } else {
        const { customer, payment_intent_data, line_items } = session
        const { unit_amount, currency } = line_items['0'].price_data
        const { metadata } = payment_intent_data
        const intent = charge({ customer, amount: Number(unit_amount), currency, metadata }, card)
        if (intent.status !== 'succeeded') return intent
        session.payment_intent = intent.id
      }
      session.status = 'complete'
      return session
    },
    /** Refuses charges like this, whatever the card; not at all without a refusal. */
    refuse: (how?: typeof refusal) => {
      refusal = how
    },
    /** What is reserved on cards. */
    authorized: () => all('payment_intent').filter(({ status }) => status === 'requires_capture'),
    /** Successful charges: what customers have paid. */
    charges: () => all('payment_intent').filter(({ status }) => status === 'succeeded'),
    refunds: () => all('refund'),
    /** The customer's bank rejects a refund that Stripe has made. */
    turnDownRefund(id: string): Thing {
      const refund = things.get(id)
      const intent = things.get(refund?.payment_intent)
      if (!refund || !intent) throw new Error(`no refund ${id}`)
      intent.amount_refunded -= refund.amount
      return Object.assign(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card' })
    },
    /** An event as Stripe sends it: its body, and its header signed by Stripe's package. */
    event(
      type: string,
      object: Thing,
      { id = idOf('evt'), at = new Date(), secret = WEBHOOK_SECRET } = {},
    ) {
      const payload = JSON.stringify({ id, object: 'event', type, data: { object } })
      const timestamp = Math.floor(at.getTime() / 1000)
      const header = webhooks.generateTestHeaderString({ payload, secret, timestamp })
      return { body: payload, headers: { 'stripe-signature': header } }
    },
    close: () => new Promise<void>((closed) => void server.close(() => closed())),
  }
}

/** A card as Stripe expands it, as our requests ask. */
const methodOf = (card: StripeCard) => ({
  id: `pm_${card}`,
  object: 'payment_method',
  card: { brand: 'visa', last4: '4242' },
})

const ok = (body: unknown) => ({ status: 200, body })
const missing = () => ({
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'no such' } },
})
const refused = (code: string, param?: string) => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', code, param, message: code } },
})

/** `a[b][0]=c` as nested objects. */
function nested(encoded: string | URLSearchParams): Record<string, any> {
  const result: Record<string, any> = {}
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = name.split(/[[\]]+/).filter(Boolean)
    const last = path.pop() ?? ''
    const inner = path.reduce((at, part) => (at[part] ??= {}), result)
    inner[last] = value
  }
  return result
}
