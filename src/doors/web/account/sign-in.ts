import { z } from 'zod'
import { leaveSession } from '../../../accounts/operations/sessions.ts'
import { signIn } from '../../../accounts/operations/sign-in.ts'
import { hidden, link, stackForm } from '../components.ts'
import type { Page } from '../dashboard/page-kit.ts'
import { answerForm, doneNotice, parseForm, textFields } from '../forms.ts'
import { type Html, html } from '../html.ts'
import { sendPage } from '../page.ts'
import { currentPasswordField, email, emailField, password } from './credentials.ts'
import { frontPage } from './front-page.ts'
import { ownPath } from './own-path.ts'
import { replaceSession, visitOf } from './sessions.ts'

const form = z.object({ email, password })

const sentences = {
  verified: 'Your address is verified.',
  'signed-out': 'You are signed out.',
  ended:
    'Your session has expired. Sessions end after two weeks without use, or when the password ' +
    'changes. Sign in and check whether your last action went through.',
}

/** `/sign-in` and `/sign-out`. */
export const signInPage: Page = async (scope, deps) => {
  scope.get('/sign-in', async (request, reply) => {
    const next = ownPath(textFields(request.query, ['next']).next)
    if (request.developer) return reply.redirect(next, 303)
    return sendPage(reply, view({ next, notice: doneNotice(request, sentences) }))
  })

  scope.post('/sign-in', async (request, reply) => {
    const fields = textFields(request.body, ['next', 'email'])
    const next = ownPath(fields.next)
    return answerForm(
      reply,
      async () => {
        const token = await signIn(deps.services, parseForm(form, request), visitOf(request))
        await replaceSession(deps, reply, token)
        return reply.redirect(next, 303)
      },
      (wrong) => view({ next, wrong, email: fields.email }),
    )
  })

  scope.get('/sign-out', async (_, reply) => reply.redirect('/dashboard', 303))

  scope.post('/sign-out', async ({ developer }, reply) => {
    if (developer) await leaveSession(deps.services, developer)
    deps.guards.sessionCookie.clear(reply)
    return reply.redirect('/sign-in?done=signed-out', 303)
  })
}

type View = {
  next: string
  notice?: Html | undefined
  wrong?: string
  email?: string | undefined
}

const view = ({ next, notice, wrong, email }: View) =>
  frontPage(
    'Sign in',
    html`${notice && html`<p class="notice" role="status">${notice}</p>`}
${stackForm(
  '/sign-in',
  'Sign in',
  [hidden('next', next), emailField(email), currentPasswordField('Password')],
  'main',
)}
<p>${link('/forgot-password', 'Forgot your password?')} ·
${link('/sign-up', 'Create an account')}</p>`,
    wrong,
  )
