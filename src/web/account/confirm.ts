import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { notify } from '../../accounts/operations/account-mails.ts'
import {
  offerPasskey,
  type Proof,
  proveAgain,
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

const form = z.object({ code: z.string().max(60).default(''), password: password.optional() })
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
    const ways = prover ? await listFactors(services, prover.id) : undefined
    const body = html`
${prover && html`<p>${prover.proved_at ? 'Signed in' : 'Signing in'} as ${prover.email}.</p>`}
${
  (!ways || ways.factors.some(({ kind }) => kind === 'passkey')) &&
  passkeyForm(publicUrl, 'Use a passkey', { action: PASSKEY, more: next })
}
${ways && fieldsFor(ways, next)}
<form method="post" action="/sign-out"><p><button class="plain">Sign out</button></p></form>`
    return frontPage('Confirm that it is you', body, wrong)
  }

  const finish = async (reply: FastifyReply, { token, noticeTo, codesLeft }: Proof) => {
    const { request } = reply
    const visit = visitOf(request)
    if (token !== undefined) await guards.beginSession(reply, token)
    inBackground('the email about a sign-in was not sent', async () => {
      await notify(services, 'sign_in', noticeTo, visit)
      if (codesLeft === undefined) return
      const what = `A recovery code was used; ${counted(codesLeft, 'code')} left.`
      await notify(services, 'factors', proverOf(request)?.email, visit, { what })
    })
    return reply.redirect(ownPath(textFields(request.body, ['next']).next), 303)
  }

  scope.get(CONFIRM, async (request, reply) =>
    proverOf(request) ? sendPage(reply, await show(request)) : reply.redirect('/sign-in', 303),
  )

  postForm(scope, CONFIRM, show, async (request, reply) => {
    const prover = proverOf(request)
    const { code, password } = parseForm(form, request)
    const visit = visitOf(request)
    const typed = { text: code, session: guards.readSession(request) }
    const again = () => proveAgain(services, typed, visit)
    if (!prover) {
      const proof = await again()
      return proof ? finish(reply, proof) : reply.redirect('/sign-in?done=ended', 303)
    }
    const proving = password
      ? proveByPassword(services, prover, password, visit)
      : proveByCode(services, prover, typed, visit)
    const proof = await proving.catch(async (error: unknown) => {
      const proof = await again()
      if (proof) return proof
      throw error
    })
    return finish(reply, proof)
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

const codeInput = { name: 'code', autocomplete: 'one-time-code', required: true, maxlength: 60 }
const codeHint = html`Six digits from your authenticator app, or a recovery code. If you have lost
them all, <a href="/contact">the operator of this network</a> can help.`

const fieldsFor = ({ factors }: Awaited<ReturnType<typeof listFactors>>, next: Html): Html => {
  const input =
    factors.length > 0 ? field('Code', codeInput, codeHint) : currentPasswordField('Password')
  return stackForm(CONFIRM, 'Confirm', [next, input], 'main')
}
