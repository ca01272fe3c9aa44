import { findAnything, type OperatorMatch } from '../../operators/operations/find-anything.ts'
import { type FoundKind, withoutSecret } from '../../operators/rules/find.ts'
import type { Page } from '../dashboard/page.ts'
import * as ui from '../page/components.ts'
import { textFields, withQuery } from '../page/forms.ts'
import { html } from '../page/html.ts'
import { OPERATORS, showOperators } from './operators-page.ts'

const PATH = `${OPERATORS}/search`

/** `/dashboard/operators/search`: a single result opens at once, several are listed. */
export const search: Page = async (scope, { services }) => {
  scope.post(PATH, async (request, reply) => {
    const { q = '' } = textFields(request.body, ['q'])
    const [first, ...more] = await findAnything(services, q)
    const isOne = first && more.length === 0
    const address = isOne ? pageOf(first) : withQuery(PATH, { q: withoutSecret(q) })
    return reply.redirect(address, 303)
  })

  scope.get(PATH, async (request, reply) => {
    const { q = '' } = textFields(request.query, ['q'])
    const query = withoutSecret(q)
    const matches = await findAnything(services, query)
    const body = html`${ui.listTable('Found', matches, columns, nothing(query))}`
    return showOperators(reply, ['Search', 'Overview'], body, { query })
  })
}

const nothing = (query: string) =>
  ui.empty(
    query === '' ? 'What are you looking for?' : `Nothing found for “${query}”`,
    html`Paste the id of an account, booking, event, delivery, endpoint, key or request, an e-mail
address, a whole key or its end (<code>…Ab3x</code>), a venue’s slug, or the name of an agent or
account. Requests are logged for 7 days, and only those with a key: look for others by
<code>request_id</code> in the service’s log.`,
  )

const columns: ui.Columns<OperatorMatch> = {
  Kind: ({ kind }) => kind,
  Name: (match) => ui.rowLink(pageOf(match), match.name),
  Id: ({ id }) => html`<code>${id}</code>`,
}

const folders: Record<FoundKind, string> = {
  account: 'accounts',
  agent: 'accounts',
  key: 'accounts',
  booking: 'bookings',
  request: 'requests',
  event: 'events',
  delivery: 'deliveries',
  endpoint: 'endpoints',
  venue: 'venues',
}

const pageOf = ({ kind, id }: OperatorMatch): string =>
  `${OPERATORS}/${folders[kind]}/${encodeURIComponent(id)}`
