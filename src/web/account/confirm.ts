import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notifyFactors, notifySignIn } from '../../accounts/operations/account-mails.ts'
import {
  offerPasskey,
  type Proof,
  proveByCode,
  proveByPasskey,
  proveByPassword,
} from '../../accounts/operations/prove-identity.ts'
import { listFactors } from '../../accounts/operations/second-factors.ts'
import { counted } from '../../base/counted.ts'
import type { Developer } from '../../doors/guards/session.ts'
import type { Page } from '../dashboard/page.ts'
import { field, hidden, stackForm } from '../page/components.ts'
import { parseForm, postForm, textFields } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'
import { createBackground } from './background.ts'
import { currentPasswordField, password } from './credentials.ts'
import { frontPage } from './front-page.ts'
import { CONFIRM, credential, PASSKEY, passkeyForm } from './passkey-form.ts'
import { visitOf } from './sessions.ts'
import { ownPath } from './sign-in.ts'

const codeForm = z.object({ code: z.string('Enter a code.').min(1, 'Enter a code.').max(60) })
const passwordForm = z.object({ password })
const passkeyFields = z.object({ credential })

const proverOf = ({ unproved, developer }: FastifyRequest): Developer | null =>
  unproved ?? developer

/**
 * `/sign-in/confirm`: asks for the second factor after the password, and again before changes to
 * how a developer signs in; without a second factor, for the password. `/sign-in/passkey` signs in
 * with a passkey alone.
 */
export const confirmPage: Page = async (scope, deps) => {
  const { services, guards, publicUrl } = deps
  const inBackground = createBackground(scope, deps.log)

  const show = async (request: FastifyRequest, wrong?: string) => {
    const source = request.method === 'GET' ? request.query : request.body
    const next = hidden('next', ownPath(textFields(source, ['next']).next))
    const prover = proverOf(request)
    const has = prover && (await listFactors(services, prover.id))
    const isKind = (kind: string) => has?.factors.some((factor) => factor.kind === kind)
    const fields = {
      passkey:
        (!has || isKind('passkey')) &&
        passkeyForm(publicUrl, 'Use a passkey', { action: PASSKEY, more: next }),
      code: has && (isKind('totp') || has.codesLeft > 0) && codeFields(next, isKind('totp')),
      password: has?.factors.length === 0 && passwordFields(next),
    }
    return frontPage('Confirm that it is you', view(prover, fields), wrong)
  }

  const finish = async (reply: FastifyReply, { token, noticeTo }: Proof) => {
    if (token !== undefined) await guards.beginSession(reply, token)
    if (noticeTo !== undefined) {
      inBackground('the notice of a sign-in was not sent', () =>
        notifySignIn(services, noticeTo, visitOf(reply.request)),
      )
    }
    return reply.redirect(ownPath(textFields(reply.request.body, ['next']).next), 303)
  }

  scope.get(CONFIRM, async (request, reply) =>
    proverOf(request) ? sendPage(reply, await show(request)) : reply.redirect('/sign-in', 303),
  )

  postForm(scope, CONFIRM, show, async (request, reply) => {
    const prover = proverOf(request)
    if (!prover) return reply.redirect('/sign-in?done=ended', 303)
    const { code } = parseForm(codeForm, request)
    const { codesLeft, ...proof } = await proveByCode(services, prover, code, visitOf(request))
    if (codesLeft !== undefined) {
      const what = `A recovery code was used; ${counted(codesLeft, 'code')} left.`
      inBackground('the email about a recovery code was not sent', () =>
        notifyFactors(services, prover.email, what, visitOf(request)),
      )
    }
    return finish(reply, proof)
  })

  postForm(scope, `${CONFIRM}/password`, show, async (request, reply) => {
    const prover = proverOf(request)
    if (!prover) return reply.redirect('/sign-in?done=ended', 303)
    const { password } = parseForm(passwordForm, request)
    return finish(reply, await proveByPassword(services, prover, password, visitOf(request)))
  })

  scope.post(`${PASSKEY}/options`, async (request, reply) =>
    reply.send(await offerPasskey(services, proverOf(request), visitOf(request))),
  )

  postForm(scope, PASSKEY, show, async (request, reply) => {
    const { credential } = parseForm(passkeyFields, request)
    const visit = visitOf(request)
    return finish(reply, await proveByPasskey(services, proverOf(request), credential, visit))
  })
}

const codeFields = (next: Html, hasApp: boolean | undefined): Html => {
  const input = { name: 'code', autocomplete: 'one-time-code', required: true, maxlength: 60 }
  const hint = hasApp
    ? 'Six digits from your authenticator app, or one of your recovery codes.'
    : 'One of your recovery codes.'
  return stackForm(CONFIRM, 'Confirm', [next, field('Code', input, hint)], 'main')
}

const passwordFields = (next: Html): Html =>
  stackForm(`${CONFIRM}/password`, 'Confirm', [next, currentPasswordField('Password')], 'main')

type Fields = { readonly [way in 'passkey' | 'code' | 'password']: Html | false | null | undefined }

const view = (prover: Developer | null, { passkey, code, password }: Fields): Html => html`
${prover && html`<p>You are signing in as ${prover.email}.</p>`}
${passkey}${code}${password}
<p class="quiet">No device and no code left? Ask the operator of this network for help.</p>
<form method="post" action="/sign-out"><button class="plain">Start again</button></form>`
