import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  inviteMember,
  resendInvitation,
  revokeInvitation,
} from '../../../accounts/operations/invitations.ts'
import { listMembers } from '../../../accounts/operations/list-members.ts'
import { changeRole, removeMember } from '../../../accounts/operations/members.ts'
import { INVITATION_DAYS, type Role, roles, roleWords } from '../../../base/roles.ts'
import { email, emailField } from '../../account/credentials.ts'
import { mailHint } from '../../account/front-page.ts'
import { visitOf } from '../../account/sessions.ts'
import * as ui from '../../page/components.ts'
import { doneNotice, paramsOf, parseForm, postForm, textFields } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { sendPage } from '../../page/page.ts'
import { dashboardPage } from '../layout.ts'
import { askFirst, type Page, redirectDone } from '../page.ts'
import { developerOf } from './account.ts'
import notices from './notices.json' with { type: 'json' }

const PATH = '/dashboard/members'
const role = z.enum(roles, 'Choose a role.')
const invitation = z.object({ email, role })
const newRole = z.object({ role })

/** `/dashboard/members`: the account's members and invitations. */
export const members: Page = async (scope, { call, services, guards, config }) => {
  const show = async (request: FastifyRequest, wrong?: string) => {
    const { members, invitations } = await call(request, listMembers, {})
    const developer = developerOf(request)
    const isOwner = developer.role === 'owner'
    const body = html`
<p>Members sign in to this account with an address and password of their own.</p>
${memberList(members, developer.id, isOwner)}
${
  invitations.length > 0 &&
  html`<h2>Invitations</h2>
${invitationList(invitations, isOwner, new Date())}`
}
<h2>Invite a member</h2>
${wrong && html`<p class="notice bad" role="alert">${wrong}</p>`}
${ui.stackForm(`${PATH}/invitations`, 'Send invitation', inviteFields(request), 'main')}
${invitations.length > 0 && mailHint(config)}
${ui.note(
  html`The link in the email works once, for ${INVITATION_DAYS} days.
${ui.link('/docs/team', 'What each role may do')}`,
)}
${ui.facts(roles.map((one) => [one, roleWords[one]]))}`
    return dashboardPage(request, {
      title: 'Members',
      body,
      notice: doneNotice(request, notices.members),
      styles: ['team.css'],
    })
  }

  scope.get(PATH, async (request, reply) => sendPage(reply, await show(request)))

  postForm(scope, `${PATH}/invitations`, show, async (request, reply) => {
    const invitee = parseForm(invitation, request)
    await inviteMember(services, developerOf(request), invitee, visitOf(request))
    return redirectDone(reply, PATH, 'invited')
  })

  postForm(scope, `${PATH}/invitations/:id/resend`, show, async (request, reply) => {
    const { id } = uuidIn(request)
    await resendInvitation(services, developerOf(request), id, visitOf(request))
    return redirectDone(reply, PATH, 'resent')
  })

  scope.post(`${PATH}/invitations/:id/revoke`, async (request, reply) => {
    await revokeInvitation(services, developerOf(request), uuidIn(request).id, visitOf(request))
    return redirectDone(reply, PATH, 'revoked')
  })

  postForm(scope, `${PATH}/:id/role`, show, async (request, reply) => {
    const change = { ...uuidIn(request), ...parseForm(newRole, request) }
    await changeRole(services, developerOf(request), change, visitOf(request))
    return redirectDone(reply, PATH, 'role')
  })

  postForm(scope, `${PATH}/:id/remove`, show, async (request, reply) => {
    const developer = developerOf(request)
    const { id } = uuidIn(request)
    const { members } = await call(request, listMembers, {})
    const email = members.find((one) => one.id === id)?.email
    const question = { button: 'Remove', back: [PATH, 'Keep the member'] } as const
    const title = `Remove ${email}?`
    const whole = { ...question, title, text: REMOVED }
    if (email && (await askFirst(reply, whole, async () => {}))) return reply
    await removeMember(services, developer, id, visitOf(request))
    return redirectDone(reply, PATH, 'removed')
  })

  const leave = async (request: FastifyRequest, reply: FastifyReply) => {
    const developer = developerOf(request)
    const title = `Leave ${developer.account_name}?`
    const text =
      'You lose access to this account at once, and any invitations you sent end. Only an owner ' +
      'can invite you again.'
    const question = { title, text, button: 'Leave', back: [PATH, 'Stay'] } as const
    if (await askFirst(reply, question, async () => {})) return reply
    await removeMember(services, developer, developer.id, visitOf(request))
    guards.clearSession(reply)
    return reply.redirect('/sign-in?done=left', 303)
  }
  // Every member is allowed to leave.
  postForm(scope, `${PATH}/leave`, show, leave, { part: 'self' })
}

const REMOVED =
  'They are signed out of this account and lose access to it at once. Keys that they made keep ' +
  'working, so revoke the keys that they know. Their invitations end. Only a new invitation ' +
  'brings them back.'

const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The id in the address; an invalid one is replaced by one that belongs to nobody. */
const uuidIn = (request: FastifyRequest) => ({
  id: z.uuid().catch(NOBODY).parse(paramsOf(request).id),
})

const roleOptions = Object.fromEntries(roles.map((one) => [one, one])) as Record<Role, string>

function inviteFields({ body }: FastifyRequest): Html[] {
  const { email, role = 'developer' } = textFields(body, ['email', 'role'])
  return [emailField(email, undefined, 'off'), ui.choice('Role', 'role', roleOptions, role)]
}

type Listed = z.infer<typeof listMembers.output>

const isLastOwner = (members: Listed['members'], id: string) =>
  members.every((one) => (one.role === 'owner') === (one.id === id))

const memberList = (members: Listed['members'], ownId: string, isOwner: boolean): Html => html`
<ul class="people">${members.map(({ id, email, role, joined_at }) => {
  const canChange = !isLastOwner(members, id)
  const isOwn = id === ownId
  return html`<li><div class="who-is"><strong>${email}</strong>
${isOwn && ui.badge('you', 'good')} ${ui.quiet(html`joined ${ui.when(joined_at)}`)}</div>
<div class="acts">${isOwner && canChange ? roleForm(id, email, role) : role}
${isOwn && canChange && button(`${PATH}/leave`, 'Leave', 'Leave this account')}
${!isOwn && isOwner && button(`${PATH}/${id}/remove`, 'Remove', `Remove ${email}`)}</div></li>`
})}</ul>`

const roleForm = (id: string, email: string, role: Role): Html => html`
<form method="post" action="${PATH}/${id}/role">
<select name="role" aria-label="Role of ${email}">${roles.map(
  (one) => html`<option value="${one}"${one === role && html` selected`}>${one}</option>`,
)}</select>
<button class="small" aria-label="Change the role of ${email}">Change</button></form>`

const invitationList = (invitations: Listed['invitations'], isOwner: boolean, now: Date): Html =>
  html`
<ul class="people">${invitations.map(({ id, email, role, created_at, expires_at }) => {
    const path = `${PATH}/invitations/${id}`
    const isOver = Date.parse(expires_at) <= now.getTime()
    return html`<li><div class="who-is"><strong>${email}</strong> as ${role}
${isOver && ui.badge('expired', 'wait')}
${ui.quiet(html`sent ${ui.when(created_at)}${!isOver && html`, expires ${ui.when(expires_at)}`}`)}
</div>${
      isOwner &&
      html`<div class="acts">${button(`${path}/resend`, 'Send again', `Send again to ${email}`)}
${button(`${path}/revoke`, 'Revoke', `Revoke the invitation of ${email}`)}</div>`
    }</li>`
  })}</ul>`

const button = (action: string, text: string, label: string): Html => html`
<form method="post" action="${action}">
<button class="small" aria-label="${label}">${text}</button></form>`
