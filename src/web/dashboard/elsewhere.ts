import type { FastifyRequest } from 'fastify'
import { type OwnedKind, selectAccountsWith } from '../../accounts/store/account-matches.ts'
import type { Db } from '../../platform/database/sql.ts'
import { paramsOf } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { inMode, type Mode } from './mode-address.ts'

const kinds: Readonly<Record<string, OwnedKind>> = {
  bookings: 'booking',
  events: 'event',
  deliveries: 'delivery',
  webhooks: 'endpoint',
  replays: 'replay',
  invoices: 'invoice',
  requests: 'request',
}

type Elsewhere = { title: string; body: Html }

/** The account's other mode, if any, that contains the requested item. */
export async function elsewhere(request: FastifyRequest, db: Db): Promise<Elsewhere | undefined> {
  const [, section = ''] =
    /^\/dashboard\/(\w+)\/:(?:id|number)\b/.exec(request.routeOptions.url ?? '') ?? []
  const kind = kinds[section]
  const { developer, keyHolder } = request
  if (!kind || !developer) return undefined
  const { id, number } = paramsOf(request)
  const ref = id ?? number
  const isRef = kind === 'event' ? /^\d{1,15}$/ : /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
  if (!isRef.test(ref)) return undefined
  const all = await selectAccountsWith(db, developer.account_id, { kind, ref })
  const [match] = all.filter((one) => one.id !== keyHolder?.id)
  if (!match) return undefined
  const { clock } = match
  const [mode, where, label]: [Mode, string, string] =
    clock !== null
      ? [{ clock: match.id }, `of the test clock ${clock}`, clock]
      : match.is_test
        ? ['test', 'in test mode', 'Test']
        : ['live', 'live', 'Live']
  const path = inMode(mode, `/dashboard/${section}/${encodeURIComponent(ref)}`)
  const title = `This ${kind} is ${where}`
  const body = html`<p>${title}. <a data-mode href="${path}">Open it in ${label}</a></p>`
  return { title, body }
}
