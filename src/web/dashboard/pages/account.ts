import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notify, sendVerification } from '../../../accounts/operations/account-mails.ts'
import { changePassword } from '../../../accounts/operations/change-password.ts'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type OwnSession,
} from '../../../accounts/operations/sessions.ts'
import type { Developer } from '../../../doors/guards/session.ts'
import { mailTransport } from '../../../platform/mail/send-mail.ts'
import { createBackground } from '../../account/background.ts'
import {
  currentPasswordField,
  disconnectBox,
  disconnects,
  newPassword,
  newPasswordField,
  password,
  SIGNS_OUT,
} from '../../account/credentials.ts'
import { mailHint, noMails } from '../../account/front-page.ts'
import { replaceSession, visitOf } from '../../account/sessions.ts'
import * as ui from '../../page/components.ts'
import { doneNotice, type FieldErrors, parseForm, postForm } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { sendPage } from '../../page/page.ts'
import { dashboardPage } from '../layout.ts'
import { type Page, redirectDone } from '../page.ts'
import notices from './notices.json' with { type: 'json' }

const PATH = '/dashboard/account'

const passwords = z.object({ password, new_password: newPassword, disconnects })
const others = z.object({ disconnects })
const session = z.object({ session: z.uuid('Choose a session.') })

/** `/dashboard/account`: the developer's email address, password and sessions. */
export const account: Page = async (scope, deps) => {
  const { services, log, config } = deps
  const inBackground = createBackground(scope, log)
  const hasMails = mailTransport(config) !== 'none'
  const unverified = hasMails ? linkSent(mailHint(config)) : noMails

  const show = async (request: FastifyRequest, wrong?: string, errors?: FieldErrors) => {
    const developer = developerOf(request)
    const { is_verified } = developer
    const sessions = await listSessions(services, developer.id, new Date())
    const body = view(developer, sessions, unverified, { wrong, errors })
    const notice = doneNotice(request, notices.account, {
      verified: is_verified,
      proved: is_verified,
    })
    return dashboardPage(request, { title: 'Account', body, notice })
  }

  scope.get(PATH, async (request, reply) => sendPage(reply, await show(request)))

  scope.post(`${PATH}/verification`, async (request, reply) => {
    const { id, email, is_verified } = developerOf(request)
    if (!hasMails) return reply.redirect(PATH, 303)
    if (!is_verified) await sendVerification(services, { id, email }, new Date())
    return redirectDone(reply, PATH, is_verified ? 'verified' : 'sent')
  })

  postForm(scope, `${PATH}/password`, show, async (request, reply) => {
    const { email, session_id: sessionId } = developerOf(request)
    const { new_password: newPassword, ...input } = parseForm(passwords, request)
    const change = { email, sessionId, newPassword, ...input }
    const visit = visitOf(request)
    const { token, isRepeat } = await changePassword(services, change, visit)
    await replaceSession(deps, reply, token)
    inBackground('the email about a changed password was not sent', () =>
      notify(services, 'changed', isRepeat ? undefined : email, visit),
    )
    return redirectDone(reply, PATH, 'password')
  })

  scope.post(`${PATH}/sessions/end`, async (request, reply) => {
    const developer = developerOf(request)
    const { session: id } = parseForm(session, request)
    await endSession(services, developer, id, visitOf(request))
    if (id === developer.session_id) return reply.redirect('/sign-in', 303)
    return redirectDone(reply, PATH, 'ended')
  })

  scope.post(`${PATH}/sessions/end-others`, async (request, reply) => {
    const who = { ...developerOf(request), ...parseForm(others, request) }
    await endOtherSessions(services, who, visitOf(request))
    return redirectDone(reply, PATH, 'others')
  })
}

/** The signed-in developer. */
export function developerOf({ developer }: FastifyRequest): Developer {
  if (!developer) throw new Error('a page of the dashboard was reached without a session')
  return developer
}

const view = (
  { email, is_verified, session_id }: Developer,
  sessions: readonly OwnSession[],
  unverified: Html,
  { wrong, errors = {} }: { wrong: string | undefined; errors: FieldErrors | undefined },
): Html => html`
<section class="card"><h2>Email address</h2>
<p>${email} ${is_verified ? ui.badge('verified', 'good') : ui.badge('not verified', 'wait')}</p>
${!is_verified && unverified}</section>
<section class="card"><h2>Password</h2>
${ui.alert(wrong)}
${ui.stackForm(`${PATH}/password`, 'Change password', [
  currentPasswordField('Current password', errors.password),
  newPasswordField('New password', 'new_password', SIGNS_OUT, errors.new_password),
  disconnectBox,
])}</section>
<section class="card"><h2>Passkeys and codes</h2>
<p>${ui.link('/dashboard/security', 'Set up passkeys or an authenticator app')}, so that a stolen
password opens nothing.</p></section>
<section class="card"><h2>Sessions</h2>
${ui.table(
  ['Device', 'Started', 'Last active', ''],
  sessions.map(({ id, device, created_at, seen_at }) => [
    id === session_id ? html`${device} ${ui.badge('this device', 'good')}` : device,
    ui.when(created_at),
    ui.when(seen_at),
    html`<form method="post" action="${PATH}/sessions/end">${ui.hidden('session', id)}
<button class="small" aria-label="End the session of ${device}">End</button></form>`,
  ]),
  'Sessions',
)}
${
  sessions.length > 1 &&
  html`<form method="post" action="${PATH}/sessions/end-others">
${disconnectBox}<p><button>Sign out everywhere else</button></p></form>`
}</section>
<section class="card"><h2>Delete account</h2>
<p>${ui.link(`${PATH}/delete`, 'Delete this account')}. The next page says what ends.</p></section>`

const linkSent = (hint: Html): Html => html`
<p class="quiet">Open the link we sent you. Until you verify the address, resetting your password
also revokes all keys, removes all agents and disables all endpoints.</p>${hint}
<form method="post" action="${PATH}/verification"><button>Send a new link</button></form>`
