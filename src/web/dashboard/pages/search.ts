import { type AccountMatch, find } from '../../../accounts/operations/find.ts'
import { shortUrl } from '../../../webhooks/rules/short-url.ts'
import * as ui from '../../page/components.ts'
import { textFields } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { type Page, showPage } from '../page.ts'

/** `/dashboard/search`: results of the search box. A single result opens at once. */
export const search: Page = async (scope, { call }) => {
  scope.get('/dashboard/search', async (request, reply) => {
    const { q = '' } = textFields(request.query, ['q'])
    const { found: matches } = await call(request, find, {
      q: q.replaceAll('\0', ' ').slice(0, MAX_CHARS),
    })
    const [first, second] = matches
    if (first && !second) return reply.redirect(pathOf(first), 303)
    return showPage(reply, 'Search', searchView(q.trim(), matches))
  })
}

const MAX_CHARS = 200

const paths: Record<AccountMatch['kind'], (ref: string) => string> = {
  booking: (ref) => `/dashboard/bookings/${ref}`,
  event: (ref) => `/dashboard/events/${ref}`,
  delivery: (ref) => `/dashboard/deliveries/${ref}`,
  endpoint: (ref) => `/dashboard/webhooks/${ref}`,
  replay: (ref) => `/dashboard/replays/${ref}`,
  request: (ref) => `/dashboard/requests/${ref}`,
  key: (ref) => `/dashboard/keys/${ref}`,
  agent: (ref) => `/dashboard/agents/${encodeURIComponent(ref)}`,
  venue: (ref) => `/venues/${ref}`,
}

const pathOf = ({ kind, ref }: AccountMatch) => paths[kind](ref)

function searchView(q: string, matches: readonly AccountMatch[]): Html {
  if (q === '') return ui.empty('What are you looking for?', hints)
  if (matches.length === 0) return ui.empty('Nothing found in this account', hints)
  return ui.listTable('Found', matches, columns)
}

const hints =
  'Paste an id of a booking, event, delivery, endpoint, request or key, or type part of the URL ' +
  'of an endpoint or of the name of a key, agent or venue.'

const labelOf = ({ kind, label }: AccountMatch) => (kind === 'endpoint' ? shortUrl(label) : label)

const columns: ui.Columns<AccountMatch> = {
  Name: (one) => ui.rowLink(pathOf(one), labelOf(one)),
  What: ({ kind }) => kind,
  Id: ({ ref }) => html`<code>${ref}</code>`,
}
