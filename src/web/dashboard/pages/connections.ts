import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../base/errors.ts'
import { endConnection, listConnections } from '../../../oauth/operations/connections.ts'
import type { AssistantConnection } from '../../../oauth/schema/connections.ts'
import { selectOptionalConnection } from '../../../oauth/store/connections.ts'
import { mayInShort } from '../../consent/consent-words.ts'
import * as ui from '../../page/components.ts'
import { doneNotice, paramsOf, textFields, withQuery } from '../../page/forms.ts'
import { html } from '../../page/html.ts'
import { inMode } from '../mode-address.ts'
import { type Page, redirectDone, showPage } from '../page.ts'
import { developerOf } from './account.ts'
import { bookingsBy } from './booking-facts.ts'
import notices from './notices.json' with { type: 'json' }

const PATH = '/dashboard/connections'

/** `/dashboard/connections`: the assistants that act for members, and how to end that. */
export const connections: Page = async (scope, { services, call }) => {
  scope.get(PATH, async (request, reply) => {
    const page = await call(request, listConnections, textFields(request.query, ['cursor']))
    const body = html`
<p>Members signed in with these programs, which act for them. A key is not needed. Disconnecting
takes effect at once.</p>
${ui.listTable('Connected assistants', page.connections, columns, none)}
${ui.pager(page.next_cursor, (cursor) => withQuery(PATH, { cursor }))}`
    return showPage(reply, 'Connected assistants', body, {
      notice: doneNotice(request, notices.connections),
    })
  })

  const ownOf = async (request: FastifyRequest) => {
    const { id: memberId, account_id: accountId } = developerOf(request)
    const { data } = endConnection.input.safeParse(paramsOf(request))
    return data && selectOptionalConnection(services.db, { accountId, memberId }, data.id)
  }

  scope.get(`${PATH}/:id/revoke`, async (request, reply) => {
    const own = await ownOf(request)
    if (!own) throw refuse('connection_not_found')
    const { client, member } = own
    const body = html`
<p>${client.name} (${client.host}) can then no longer book, change or read anything for ${member}.
Its bookings stay: cancel them on the ${ui.link('/dashboard/bookings', 'bookings page')}.</p>
${ui.confirmForm(`${PATH}/${own.id}/revoke`, 'Disconnect', [PATH, 'Keep it'])}`
    return showPage(reply, `Disconnect ${client.name}?`, body)
  })

  scope.post(`${PATH}/:id/revoke`, async (request, reply) => {
    await call(request, endConnection, paramsOf(request))
    return redirectDone(reply, PATH, 'ended')
  })
}

const columns: ui.Columns<AssistantConnection> = {
  Assistant: ({ client, mode }) =>
    html`<strong>${client.name}</strong> ${mode === 'test' && ui.badge('test', 'wait')}<br>
${ui.quiet(client.host)}`,
  'May do': ({ scopes }) => scopes.map(mayInShort).join('; ') || 'Search and read',
  'Acts for': ({ member }) => member,
  Since: ({ created_at }) => ui.when(created_at),
  'Last used': ({ last_used }) =>
    last_used ? html`${ui.when(last_used.at)} ${ui.quiet(last_used.door)}` : ui.quiet('never'),
  '': ({ id, client, mode }) =>
    html`${ui.link(inMode(mode, bookingsBy(client.name)), 'Bookings')}
<a href="${PATH}/${id}/revoke" aria-label="Disconnect ${client.name}">Disconnect</a>`,
}

const none = ui.empty(
  'No assistants yet',
  html`Add this network to an assistant such as Claude or ChatGPT, and it appears here once you
allow it. ${ui.link('/docs/mcp', 'How to connect one')}`,
)
