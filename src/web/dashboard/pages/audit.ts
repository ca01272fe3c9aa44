import { auditFilters, listAudit } from '../../../accounts/operations/list-audit.ts'
import type { AuditEntry } from '../../../accounts/schema/audit.ts'
import { type AuditAction, auditActions } from '../../../base/audit-actions.ts'
import * as ui from '../../page/components.ts'
import { listFilters } from '../../page/filters.ts'
import { textFields, withQuery } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { type Page, showPage } from '../page.ts'
import { timeFilters, zonedTimes } from '../reader-zone.ts'
import { noneOf } from './bookings.ts'

const PATH = '/dashboard/audit'
const filters = ['action', 'actor', 'object', 'from', 'until', 'cursor'] as const

const words = (action: string) => auditActions[action as AuditAction] ?? action
const allOf = (kind: string) => `${kind[0]?.toUpperCase()}${kind.slice(1)}: everything`
const actions = {
  '': 'All',
  ...Object.fromEntries(
    auditFilters.map((one) => [one, one.includes('.') ? words(one) : allOf(one)]),
  ),
}

/** `/dashboard/audit`: the changes to the account: who made them, when and from where. */
export const audit: Page = async (scope, { call, config }) => {
  scope.get(PATH, async (request, reply) => {
    const { cursor, ...filter } = textFields(request.query, filters)
    const times = zonedTimes(request, filter)
    const page = await call(request, listAudit, { ...filter, ...times, cursor, limit: 50 })
    const { entries, next_cursor } = page
    const none = noneOf(
      'change',
      filter,
      'Every change to keys, endpoints, members and the plan is recorded here.',
    )
    const body = html`
<p>Every change of this account: who made it, when and from where. Entries cannot be edited.</p>
${listFilters(PATH, filter, [
  { label: 'Change', name: 'action', options: actions },
  ...timeFilters(request, { ...filter, daysBack: config.HISTORY_RETENTION_DAYS }),
  ...(filter.actor ? [{ label: 'Who', name: 'actor', isHidden: true }] : []),
  ...(filter.object ? [{ label: 'What', name: 'object', isHidden: true }] : []),
])}
${ui.listTable('Changes', entries, columns, none)}
${ui.pager(next_cursor, (next) => withQuery(PATH, { ...filter, cursor: next }))}`
    return showPage(reply, 'Audit log', body)
  })
}

const columns: ui.Columns<AuditEntry> = {
  When: ({ at }) => ui.when(at),
  Who: ({ actor }) =>
    actor.id === null
      ? actor.name
      : html`${ui.link(withQuery(PATH, { actor: actor.id }), actor.name)}
${actor.kind === 'key' && ui.quiet('key')}`,
  Change: ({ action }) => words(action),
  What: objectOf,
  Details: ({ details }) => detailsOf(details),
  From: ({ address, door }) => html`${address && html`<code>${address}</code> `}${ui.quiet(door)}`,
}

const pagesOf: Record<string, string> = {
  key: '/dashboard/keys',
  endpoint: '/dashboard/webhooks',
  replay: '/dashboard/replays',
}

function objectOf({ object: { kind, id, name } }: AuditEntry): Html {
  const label = name ?? (kind === 'replay' ? 'replay' : (id?.slice(0, 8) ?? '–'))
  const page = pagesOf[kind]
  if (page && id) return ui.link(`${page}/${id}`, label)
  return kind === 'agent' && name ? ui.link(`/dashboard/agents/${name}`, name) : html`${label}`
}

function detailsOf({ from, to, ...rest }: AuditEntry['details']): Html {
  const rows = Object.entries(rest)
  const change = to === undefined ? [] : [html`${inWords(from)} → ${inWords(to)}`]
  const lines = rows.map(
    ([field, value]) =>
      html`${ui.quiet(field.replace(/_id$/, '').replaceAll('_', ' '))} ${cellOf(field, value)}`,
  )
  const all = [...change, ...lines]
  return all.length === 0
    ? ui.quiet('–')
    : html`${all.map((line, nth) => html`${nth > 0 && html`<br>`}${line}`)}`
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** A value in the details, with times and ids made readable. */
function cellOf(field: string, value: unknown): Html {
  if (typeof value !== 'string') return html`${inWords(value)}`
  if (field === 'endpoint_id') return ui.link(`/dashboard/webhooks/${value}`, value.slice(0, 8))
  if (field === 'replaced_by') return ui.link(`/dashboard/keys/${value}`, 'a new key')
  return INSTANT.test(value) ? ui.exactly(value) : html`${inWords(value)}`
}

/** A value, or `before → after` for a change. */
function inWords(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (Array.isArray(value)) return value.map(inWords).join(', ') || 'none'
  if (value === '*') return 'all'
  if (typeof value !== 'object') return String(value)
  if (!('from' in value && 'to' in value)) return JSON.stringify(value)
  return `${inWords(value.from)} → ${inWords(value.to)}`
}
