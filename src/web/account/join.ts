import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  joinAccount,
  readInvitation,
  signUpInvited,
} from '../../accounts/operations/join-account.ts'
import { roleWords } from '../../base/roles.ts'
import { type Page, redirectDone } from '../dashboard/page.ts'
import { hidden, link, stackForm } from '../page/components.ts'
import { parseForm, postForm, withQuery } from '../page/forms.ts'
import { html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'
import { newPassword, newPasswordField, token as tokenField, tokenIn } from './credentials.ts'
import { frontPage } from './front-page.ts'
import { createReturns } from './return-address.ts'
import { replaceSession, visitOf } from './sessions.ts'

const PATH = '/join'
const joining = z.object({ token: tokenField })
const signingUp = z.object({ token: tokenField, password: newPassword })

/**
 * `/join`: the page of an invitation link. Mail scanners open links, so only the button joins the
 * account: by signing in with the invited address, or by signing up with it.
 */
export const joinPage: Page = async (scope, deps) => {
  const { services } = deps
  const returns = createReturns(deps.publicUrl)

  const joined = (reply: FastifyReply) => {
    const to = returns.latest(reply.request)
    return to ? reply.redirect(to.path, 303) : redirectDone(reply, '/dashboard/members', 'joined')
  }

  const show = async (request: FastifyRequest, wrong?: string) => {
    const token = tokenIn(request.method === 'GET' ? request.query : request.body)
    const invitation = await readInvitation(services, token, new Date())
    return view(invitation, { token, wrong, signedInAs: request.developer?.email })
  }

  scope.get(PATH, async (request, reply) => sendPage(reply, await show(request)))

  const join = async (request: FastifyRequest, reply: FastifyReply) => {
    const { token } = parseForm(joining, request)
    const { developer } = request
    if (!developer) return reply.redirect(signInFirst(token), 303)
    await joinAccount(services, token, developer, visitOf(request))
    return joined(reply)
  }

  postForm(scope, PATH, show, join)

  postForm(scope, `${PATH}/sign-up`, show, async (request, reply) => {
    // The first click may have signed in.
    if (request.developer) return join(request, reply)
    const token = await signUpInvited(services, parseForm(signingUp, request), visitOf(request))
    await replaceSession(deps, reply, token)
    return joined(reply)
  })
}

const signInFirst = (token: string) => withQuery('/sign-in', { next: `${PATH}?token=${token}` })

type Invitation = Awaited<ReturnType<typeof readInvitation>>
type Look = { token: string; wrong: string | undefined; signedInAs: string | undefined }

function view({ email, role, account_name, isKnown }: Invitation, look: Look): string {
  const { token, wrong, signedInAs } = look
  const isSame = signedInAs?.toLowerCase() === email.toLowerCase()
  const body = html`
<p>You are invited to <strong>${account_name}</strong> as ${role}: ${roleWords[role]}.</p>
${isSame && stackForm(PATH, 'Join', [hidden('token', token)], 'main')}
${
  signedInAs !== undefined &&
  !isSame &&
  html`<p>The invitation is for ${email}, and you are signed in as ${signedInAs}.
Sign out, then open the link again.</p>
<form method="post" action="/sign-out"><button>Sign out</button></form>`
}
${
  signedInAs === undefined &&
  isKnown &&
  html`<p>${link(signInFirst(token), 'Sign in')} as ${email}
to join.</p>`
}
${
  signedInAs === undefined &&
  !isKnown &&
  html`<p>Choose a password for ${email}.</p>
${stackForm(
  `${PATH}/sign-up`,
  'Create account and join',
  [hidden('token', token), newPasswordField('Password', 'password')],
  'main',
)}`
}`
  return frontPage(`Join ${account_name}`, body, wrong)
}
