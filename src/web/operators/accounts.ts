import { listAccounts, readAccount } from '../../operators/operations/read-accounts.ts'
import type { ListedAccount } from '../../operators/store/accounts.ts'
import type { Page } from '../dashboard/page.ts'
import * as ui from '../page/components.ts'
import { doneNotice, paramsOf, textFields, withQuery } from '../page/forms.ts'
import { html } from '../page/html.ts'
import { accountView, stateBadge } from './account-view.ts'
import notices from './notices.json' with { type: 'json' }
import { idOf, OPERATORS, showOperators } from './operators-page.ts'

const PATH = `${OPERATORS}/accounts`

/** `/dashboard/operators/accounts`, and the page of each account. */
export const accounts: Page = async (scope, { services }) => {
  scope.get(PATH, async (request, reply) => {
    const names = ['name', 'tier', 'state', 'cursor'] as const
    const { cursor, ...filter } = textFields(request.query, names)
    const { name = null, tier, state } = filter
    const query: Parameters<typeof listAccounts>[1] = {
      name,
      tier: tier === 'free' || tier === 'pro' ? tier : null,
      isSuspended: state === 'suspended',
      before: cursor === undefined ? null : idOf(cursor),
    }
    const { accounts, next } = await listAccounts(services, query, new Date())
    const none = ui.empty('No account matches', 'Try other filters.')
    const body = html`
${ui.filterForm(PATH, [
  ui.field('Name begins with', { name: 'name', value: filter.name, maxlength: 100 }),
  ui.choice('Plan', 'tier', ui.anyOf(['free', 'pro']), tier),
  ui.choice('State', 'state', { '': 'All', suspended: 'suspended' }, state),
])}
${ui.listTable('Accounts', accounts, columns, none)}
${ui.pager(next, (cursor) => withQuery(PATH, { ...filter, cursor }))}`
    return showOperators(reply, ['Accounts', 'Accounts'], body)
  })

  scope.get(`${PATH}/:id`, async (request, reply) => {
    const detail = await readAccount(services, idOf(paramsOf(request).id), new Date())
    const { suspended_at, name } = detail.account
    const holds = { suspended: suspended_at !== null, resumed: suspended_at === null }
    const isOwn = detail.account.id === request.developer?.account_id
    return showOperators(reply, [name, 'Accounts'], accountView(detail, isOwn), {
      notice: doneNotice(request, notices.accounts, holds),
    })
  })
}

const columns: ui.Columns<ListedAccount> = {
  Account: ({ id, name }) => ui.rowLink(`${PATH}/${id}`, name),
  Member: ({ email }) => email ?? ui.quiet('none'),
  Plan: ({ tier }) => tier,
  State: stateBadge,
  'Requests today': ({ used_today }) => ui.grouped(used_today),
  Opened: ({ created_at }) => ui.when(created_at),
}
