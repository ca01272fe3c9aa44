import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  notifyPasswordChanged,
  sendVerification,
} from '../../../../accounts/operations/account-mails.ts'
import { changePassword } from '../../../../accounts/operations/change-password.ts'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type OwnSession,
} from '../../../../accounts/operations/sessions.ts'
import { PASSWORD_MIN } from '../../../../accounts/rules/sign-in.ts'
import { mailTransport } from '../../../../platform/mail/send-mail.ts'
import type { Developer } from '../../../guards/session.ts'
import { newPassword, password } from '../../account/credentials.ts'
import { noMails, whereMailsAre } from '../../account/front-page.ts'
import { createLater } from '../../account/later.ts'
import { visitOf } from '../../account/visit.ts'
import { badge } from '../../components/badge.ts'
import { field } from '../../components/form.ts'
import { table } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { answerForm, doneNotice, parseForm } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'

const PATH = '/dashboard/account'

const sentences = {
  verified: 'Your address is verified.',
  'other-verified':
    'That address is verified. It belongs to a different account from the one you are signed in to.',
  sent: 'We sent you a new link.',
  password: 'Password changed. You were signed out everywhere else.',
  reset:
    'Password changed. You were signed out everywhere else. Keys and endpoints keep working: review them if someone else knew your password.',
  proved:
    'Password changed and address verified. Nobody had verified it before, so someone else may have created this account: every other session ended, all keys are revoked, all agents removed and all endpoints disabled. Create new keys, register your agents and enable your endpoints.',
  ended: 'Session ended.',
  others: 'You were signed out everywhere else.',
}

const passwords = z.object({ password, new_password: newPassword })
const session = z.object({ session: z.uuid('Choose a session.') })

/** `/dashboard/account`: the address, the password and the sessions of whoever is signed in. */
export async function account(scope: FastifyInstance, deps: DashboardDeps) {
  const { services, guards, log, config } = deps
  const later = createLater(scope, log)
  const hasMails = mailTransport(config) !== 'none'
  const mails = hasMails ? linkSent(whereMailsAre(config)) : noMails

  const show = async (request: FastifyRequest, wrong?: string) => {
    const developer = developerOf(request)
    const sessions = await listSessions(services, developer.id, new Date())
    const { isVerified } = developer
    const notice = doneNotice(request, sentences, { verified: isVerified, proved: isVerified })
    const body = view(developer, sessions, mails, wrong)
    return dashboardPage(request, { title: 'Account', section: 'account', body, notice })
  }

  scope.get(PATH, async (request, reply) => sendPage(reply, await show(request)))

  scope.post(`${PATH}/verification`, async (request, reply) => {
    const { id, email, isVerified } = developerOf(request)
    if (!hasMails) return reply.redirect(PATH, 303)
    if (!isVerified) await sendVerification(services, { id, email }, new Date())
    return reply.redirect(`${PATH}?done=${isVerified ? 'verified' : 'sent'}`, 303)
  })

  scope.post(`${PATH}/password`, async (request, reply) => {
    const { email } = developerOf(request)
    return answerForm(
      reply,
      async () => {
        const said = parseForm(passwords, request)
        const asked = { email, password: said.password, newPassword: said.new_password }
        guards.sessionCookie.write(reply, await changePassword(services, asked, visitOf(request)))
        later('a changed password was not told', () =>
          notifyPasswordChanged(services, email, new Date()),
        )
        return reply.redirect(`${PATH}?done=password`, 303)
      },
      (wrong) => show(request, wrong),
    )
  })

  scope.post(`${PATH}/sessions/end`, async (request, reply) => {
    const { id, sessionId } = developerOf(request)
    const { session: chosen } = parseForm(session, request)
    await endSession(services, id, chosen)
    return reply.redirect(chosen === sessionId ? '/sign-in' : `${PATH}?done=ended`, 303)
  })

  scope.post(`${PATH}/sessions/end-others`, async (request, reply) => {
    const { id, sessionId } = developerOf(request)
    await endOtherSessions(services, id, sessionId)
    return reply.redirect(`${PATH}?done=others`, 303)
  })
}

function developerOf({ developer }: FastifyRequest): Developer {
  if (!developer) throw new Error('a page of the dashboard was reached without a session')
  return developer
}

const view = (
  developer: Developer,
  sessions: readonly OwnSession[],
  mails: Html,
  wrong?: string,
): Html => html`
<section class="card"><h2>Address</h2>${address(developer, mails)}</section>
<section class="card"><h2>Password</h2>
${wrong ? html`<p class="notice bad" role="alert">${wrong}</p>` : ''}
<form class="stack" method="post" action="${PATH}/password">
${field('Current password', { name: 'password', type: 'password', required: true, autocomplete: 'current-password' })}
${field('New password', { name: 'new_password', type: 'password', required: true, autocomplete: 'new-password', minlength: PASSWORD_MIN }, `At least ${PASSWORD_MIN} characters. This signs you out everywhere else.`)}
<button>Change password</button>
</form></section>
<section class="card"><h2>Sessions</h2>
${table(
  ['Device', 'Started', 'Last active', ''],
  sessions.map((one) => sessionRow(one, developer.sessionId)),
  'Sessions',
)}
${sessions.length > 1 ? html`<form method="post" action="${PATH}/sessions/end-others"><button>Sign out everywhere else</button></form>` : ''}</section>`

const address = ({ email, isVerified }: Developer, mails: Html): Html =>
  isVerified
    ? html`<p>${email} ${badge('verified', 'good')}</p>`
    : html`<p>${email} ${badge('not verified', 'wait')}</p>${mails}`

const linkSent = (hint: Html): Html => html`
<p class="quiet">Open the link we sent you. Until you verify the address, resetting your password also revokes all keys, removes all agents and disables all endpoints.</p>${hint}
<form method="post" action="${PATH}/verification"><button>Send a new link</button></form>`

const sessionRow = ({ id, device, created_at, seen_at }: OwnSession, present: string) => [
  id === present ? html`${device} ${badge('this device', 'good')}` : device,
  when(created_at),
  when(seen_at),
  html`<form method="post" action="${PATH}/sessions/end"><input type="hidden" name="session" value="${id}"><button class="small" aria-label="End the session of ${device}">End</button></form>`,
]
