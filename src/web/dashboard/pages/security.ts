import type { FastifyReply, FastifyRequest } from 'fastify'
import { generateSecret } from 'otplib'
import encodeQR from 'qr'
import { z } from 'zod'
import { notify } from '../../../accounts/operations/account-mails.ts'
import {
  addPasskey,
  addTotp,
  listFactors,
  makeRecoveryCodes,
  offerNewPasskey,
  removeFactor,
  requireFactors,
  totpAddress,
} from '../../../accounts/operations/second-factors.ts'
import { provedSince } from '../../../accounts/rules/second-factors.ts'
import { counted } from '../../../base/counted.ts'
import type { Developer } from '../../../doors/guards/session.ts'
import { sentUrl } from '../../../doors/http/sent-url.ts'
import { createBackground } from '../../account/background.ts'
import { confirmFirst, credential, passkeyForm } from '../../account/passkey-form.ts'
import { visitOf } from '../../account/sessions.ts'
import * as ui from '../../page/components.ts'
import { doneNotice, parseForm, postForm, textFields } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { sendPage } from '../../page/page.ts'
import { dashboardPage } from '../layout.ts'
import { type Page, redirectDone, showPage } from '../page.ts'
import { developerOf } from './account.ts'
import notices from './notices.json' with { type: 'json' }

/** The page about how a developer signs in. */
export const SECURITY = '/dashboard/security'
const TOTP = `${SECURITY}/totp`
const PASSKEY = `${SECURITY}/passkey`
const crumbs = [['How you sign in', SECURITY]] as const

const passkeyFields = z.object({ credential })
const totpSecret = z.string('Open the page again.').regex(/^[A-Z2-7]{32}$/, 'Open the page again.')
const totpFields = z.object({
  secret: totpSecret,
  code: z.string('Enter the code that the app shows.').max(20, 'Enter six digits.'),
})
const factorFields = z.object({ factor: z.uuid('Choose what to remove.') })
const demand = z.object({ required: z.enum(['yes', 'no'], 'Choose whether it is required.') })

/**
 * `/dashboard/security`: passkeys, authenticator app and recovery codes, and whether the account
 * demands them. It opens to developers who have just proved their identity.
 */
export const security: Page = async (scope, deps) => {
  const { services, publicUrl } = deps
  const inBackground = createBackground(scope, deps.log)

  scope.addHook('onRequest', async (request, reply) => {
    const { proved_at } = developerOf(request)
    if (proved_at && proved_at > provedSince(new Date())) return
    return reply.redirect(confirmFirst(request.method === 'GET' ? sentUrl(request) : SECURITY), 303)
  })

  const showCodes = (reply: FastifyReply, codes: readonly string[]) =>
    showPage(reply, 'Your recovery codes', codesView(codes), { crumbs })

  const announce = (request: FastifyRequest, what: string) => {
    const visit = visitOf(request)
    inBackground('the email about a second factor was not sent', () =>
      notify(services, 'factors', developerOf(request).email, visit, { what }),
    )
  }

  const show = async (request: FastifyRequest, wrong?: string) => {
    const developer = developerOf(request)
    const body = view(developer, await listFactors(services, developer.id), publicUrl, wrong)
    const notice = doneNotice(request, notices.security, { added: developer.has_factor })
    return dashboardPage(request, { title: 'How you sign in', body, notice })
  }

  scope.get(SECURITY, async (request, reply) => sendPage(reply, await show(request)))

  scope.post(`${PASSKEY}/options`, async (request, reply) =>
    reply.send(await offerNewPasskey(services, developerOf(request), visitOf(request))),
  )

  postForm(scope, PASSKEY, show, async (request, reply) => {
    const { credential } = parseForm(passkeyFields, request)
    const codes = await addPasskey(services, developerOf(request), credential, visitOf(request))
    announce(request, 'A passkey was added.')
    return codes ? showCodes(reply, codes) : redirectDone(reply, SECURITY, 'added')
  })

  const showTotp = (request: FastifyRequest, wrong?: string) => {
    const sent = totpSecret.safeParse(textFields(request.body, ['secret']).secret)
    const secret = sent.data ?? generateSecret()
    const body = totpView(developerOf(request).email, secret, wrong)
    return dashboardPage(request, { title: 'Add an authenticator app', body, crumbs })
  }

  scope.get(TOTP, async (request, reply) => sendPage(reply, showTotp(request)))

  postForm(scope, TOTP, showTotp, async (request, reply) => {
    const input = parseForm(totpFields, request)
    const codes = await addTotp(services, developerOf(request), input, visitOf(request))
    announce(request, 'An authenticator app was added.')
    return codes ? showCodes(reply, codes) : redirectDone(reply, SECURITY, 'added')
  })

  scope.get(`${SECURITY}/remove`, async (request, reply) => {
    const { factors } = await listFactors(services, developerOf(request).id)
    const { factor } = textFields(request.query, ['factor'])
    const own = factors.find(({ id }) => id === factor)
    if (!own) return reply.redirect(SECURITY, 303)
    const more = ui.hidden('factor', own.id)
    const last = 'Your password alone then signs you in, and your recovery codes are deleted.'
    const body = html`<p>${factors.length === 1 ? last : 'Your other ways to sign in stay.'}
You are signed out everywhere else.</p>
${ui.confirmForm(`${SECURITY}/remove`, 'Remove', [SECURITY, 'Keep it'], { more })}`
    return showPage(reply, `Remove ${own.name}?`, body, { crumbs })
  })

  postForm(scope, `${SECURITY}/remove`, show, async (request, reply) => {
    const { factor } = parseForm(factorFields, request)
    const isRemoved = await removeFactor(services, developerOf(request), factor, visitOf(request))
    if (isRemoved) announce(request, 'A passkey or authenticator app was removed.')
    return redirectDone(reply, SECURITY, 'removed')
  })

  postForm(scope, `${SECURITY}/codes`, show, async (request, reply) => {
    const codes = await makeRecoveryCodes(services, developerOf(request), visitOf(request))
    announce(request, 'New recovery codes were made. Earlier ones no longer work.')
    return showCodes(reply, codes)
  })

  const require = async (request: FastifyRequest, reply: FastifyReply) => {
    const isRequired = parseForm(demand, request).required === 'yes'
    await requireFactors(services, developerOf(request), isRequired, visitOf(request))
    return redirectDone(reply, SECURITY, isRequired ? 'required' : 'optional')
  }
  postForm(scope, `${SECURITY}/members`, show, require, { part: 'members' })
}

type Listed = Awaited<ReturnType<typeof listFactors>>

const view = (
  { is_verified, role, account_name, requires_factor }: Developer,
  { factors, codesLeft }: Listed,
  publicUrl: string,
  wrong: string | undefined,
): Html => html`${ui.alert(wrong)}
<section class="card"><h2>Passkeys and authenticator app</h2>
<p>Once you add one, your password alone no longer signs you in. A passkey also signs you in without
the password.</p>
${ui.listTable('Passkeys and authenticator app', factors, columns)}
${is_verified && passkeyForm(publicUrl, 'Add a passkey', { action: PASSKEY, creates: true })}
<p>${is_verified ? addApp(factors) : ui.link('/dashboard/account', 'Verify your address first')}</p>
</section>
${
  factors.length > 0 &&
  html`<section class="card"><h2>Recovery codes</h2>
${codesLeft === 0 && ui.alert('You have none: if your device is lost, you are locked out.')}
<p>For when your device is lost. ${counted(codesLeft, 'code')} left.</p>
${ui.stackForm(`${SECURITY}/codes`, codesLeft > 0 ? 'Replace them' : 'Make recovery codes', [])}
</section>`
}
${
  role === 'owner' &&
  html`<section class="card"><h2>Members of ${account_name}</h2>
<p>${requires_factor ? 'Members need' : 'Members do not need'} a passkey or an authenticator app to
open this account.</p>
${ui.stackForm(`${SECURITY}/members`, requires_factor ? 'No longer require it' : 'Require it', [
  ui.hidden('required', requires_factor ? 'no' : 'yes'),
])}</section>`
}`

const addApp = (factors: Listed['factors']): Html =>
  html`${
    factors.every(({ kind }) => kind !== 'totp') &&
    ui.linkButton(TOTP, 'Add an authenticator app', true)
  }`

const columns: ui.Columns<Listed['factors'][number]> = {
  Name: ({ name }) => name,
  Added: ({ created_at }) => ui.when(created_at),
  'Last used': ({ used_at }) => ui.when(used_at),
  '': ({ id, name }) =>
    html`<a href="${SECURITY}/remove?factor=${id}" aria-label="Remove ${name}">Remove</a>`,
}

const codeInput = { name: 'code', autocomplete: 'one-time-code', required: true, maxlength: 20 }

function totpView(email: string, secret: string, wrong: string | undefined): Html {
  const address = totpAddress(email, secret)
  const white = '><rect width="100%" height="100%" fill="#fff"/>'
  const svg = Buffer.from(encodeQR(address, 'svg').replace('>', white)).toString('base64')
  return html`${ui.alert(wrong)}
<p>Scan this with an authenticator app, or <a href="${address}">open it on this device</a>.</p>
<p><img src="data:image/svg+xml;base64,${svg}" alt="QR code of the key below" width="220"
height="220"></p>
<p>Key: ${ui.copyable(secret.replace(/.{4}(?=.)/g, '$& '))}</p>
${ui.stackForm(
  TOTP,
  'Add the app',
  [ui.hidden('secret', secret), ui.field('Code', codeInput, 'The six digits that the app shows.')],
  'main',
)}`
}

const codesView = (codes: readonly string[]): Html => html`
<p>Each code signs you in once, in place of your device. They are shown only now: keep them where
you can find them without it.</p>
${ui.codeBlock(codes.join('\n'), 'Recovery codes')}
<p>${ui.linkButton(SECURITY, 'I have kept them')}</p>`
