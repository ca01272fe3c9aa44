import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notifyDeleted } from '../../../accounts/operations/account-mails.ts'
import { deleteAccount } from '../../../accounts/operations/delete-account.ts'
import { countBookingsAhead } from '../../../accounts/store/deleted-accounts.ts'
import { endElsewhere } from '../../../network.ts'
import { createBackground } from '../../account/background.ts'
import { currentPasswordField, password } from '../../account/credentials.ts'
import { visitOf } from '../../account/sessions.ts'
import * as ui from '../../page/components.ts'
import { type FieldErrors, parseForm, postForm } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { sendPage } from '../../page/page.ts'
import { dashboardPage } from '../layout.ts'
import type { Page } from '../page.ts'
import { developerOf } from './account.ts'

const PATH = '/dashboard/account/delete'
const form = z.object({ password })

/** `/dashboard/account/delete`: what a deletion does, and the form for it. */
export const deleteAccountPage: Page = async (scope, { services, guards, log }) => {
  const inBackground = createBackground(scope, log)

  const show = async (request: FastifyRequest, wrong?: string, errors?: FieldErrors) => {
    const { email, account_id, accounts } = developerOf(request)
    const bookings = await countBookingsAhead(services.db, account_id)
    const address = accounts > 1 ? null : email
    const body = view(address, bookings, { wrong, error: errors?.password })
    const crumbs = [['Account', '/dashboard/account']] as const
    return dashboardPage(request, { title: 'Delete account', body, crumbs })
  }

  scope.get(PATH, async (request, reply) => sendPage(reply, await show(request)))

  postForm(scope, PATH, show, async (request, reply) => {
    const developer = developerOf(request)
    const visit = visitOf(request)
    const who = { ...developer, ...parseForm(form, request) }
    const closed = await deleteAccount(services, who, { ...visit, endElsewhere })
    const { email: by, account_id: id, account_name: name } = developer
    inBackground('the emails about a deleted account were not sent', async () => {
      if (closed) await notifyDeleted(services, { visit, account: { id, name }, by, closed })
    })
    guards.clearSession(reply)
    return reply.redirect('/sign-in?done=deleted', 303)
  })
}

type Wrong = { wrong: string | undefined; error: string | undefined }

/** `email`: null if the owner also uses it to sign in to other accounts. */
const view = (email: string | null, bookings: number, { wrong, error }: Wrong): Html => html`
<section class="card"><h2>What ends</h2>
<p>This cannot be undone.</p>
<ul>
<li>All sessions end, all API keys are revoked, and all assistants are disconnected.</li>
<li>Webhook endpoints are deleted. Deliveries that have not arrived are discarded.</li>
<li>Agents are deleted. Nobody else can register their names.</li>
<li>Watches are cancelled.</li>
<li>All its members lose access to it.</li>
<li>${
  email === null
    ? 'The name of the account is erased. You still sign in for your other accounts.'
    : html`The email address ${email}, the password and the name of the account are erased. You can
sign up with the address again, as a new account.`
}</li>
</ul>
<h2>What stays</h2>
<ul>
<li>${
  bookings === 0
    ? 'Past bookings, without anyone’s name.'
    : html`<strong>${ui.grouped(bookings)} ${bookings === 1 ? 'booking goes' : 'bookings go'}
on:</strong> the venue expects your guests. No more events are sent, and you can no longer change or
cancel them. ${ui.link('/dashboard/bookings', 'Cancel')} those that nobody will come to first.`
}</li>
<li>Fees and invoices, as the law requires, under an id without a name. Fees are still due.</li>
<li>Guest details, for venues only, until 90 days after the slot.</li>
</ul></section>
<section class="card"><h2>Delete this account</h2>
${ui.alert(wrong)}
${ui.stackForm(PATH, 'Delete my account', [currentPasswordField('Password', error)], 'danger')}
<p>${ui.link('/dashboard/account', 'Keep the account')}</p></section>`
