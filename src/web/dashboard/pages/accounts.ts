import { z } from 'zod'
import { listAccounts, switchAccount } from '../../../accounts/operations/members.ts'
import type { Membership } from '../../../accounts/store/members.ts'
import { roleWords } from '../../../base/roles.ts'
import * as ui from '../../page/components.ts'
import { parseForm } from '../../page/forms.ts'
import { html } from '../../page/html.ts'
import { type Page, showPage } from '../page.ts'
import { developerOf } from './account.ts'

const PATH = '/dashboard/accounts'
const choice = z.object({ account: z.uuid('Choose an account.') })

/** `/dashboard/accounts`: the developer's accounts, and a form to switch between them. */
export const accounts: Page = async (scope, { services }) => {
  scope.get(PATH, async (request, reply) => {
    const { id, account_id } = developerOf(request)
    const memberships = await listAccounts(services, id)
    const body = html`
<p>The dashboard shows one account at a time. Your role may differ between accounts.</p>
${ui.listTable('Accounts', memberships, columns(account_id))}`
    return showPage(reply, 'Your accounts', body)
  })

  scope.post(PATH, async (request, reply) => {
    const { account } = parseForm(choice, request)
    await switchAccount(services, developerOf(request), account, new Date())
    return reply.redirect('/dashboard', 303)
  })
}

const columns = (current: string): ui.Columns<Membership> => ({
  Account: ({ account_name }) => account_name,
  Role: ({ role }) => html`${role} ${ui.quiet(roleWords[role])}`,
  '': ({ account_id, account_name }) =>
    account_id === current
      ? ui.badge('open', 'good')
      : html`<form method="post" action="${PATH}">${ui.hidden('account', account_id)}
<button class="small" aria-label="Open ${account_name}">Open</button></form>`,
})
