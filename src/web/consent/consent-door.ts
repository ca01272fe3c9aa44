import type { FastifyInstance, FastifyReply } from 'fastify'
import { notify } from '../../accounts/operations/account-mails.ts'
import { listAccounts } from '../../accounts/operations/members.ts'
import { may, scopesOfRole } from '../../base/roles.ts'
import { loggedRefusal, setRefusal } from '../../doors/calls/refusals.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import type { Developer } from '../../doors/guards/session.ts'
import { pagePolicy } from '../../doors/http/content-policy.ts'
import type { AuthorizationRequest } from '../../doors/oauth/interactions.ts'
import { readBookingPayment } from '../../payments/steps/booking-payment.ts'
import { transaction } from '../../platform/database/sql.ts'
import { findOrCreateSandbox } from '../../sandbox/store/sandboxes.ts'
import { createBackground } from '../account/background.ts'
import { createReturns } from '../account/return-address.ts'
import { visitOf } from '../account/sessions.ts'
import { guardPages } from '../dashboard/dashboard-door.ts'
import { problemText, problemTitle } from '../page/format-problem.ts'
import { textFields, withQuery } from '../page/forms.ts'
import { html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'
import {
  type AccountChoice,
  cancelView,
  closedView,
  consentDocument,
  consentView,
} from './consent-view.ts'
import { assistantWords, wishWords } from './consent-words.ts'

type Uid = { Params: { uid: string } }
const TEST = 'test:'

/**
 * `/oauth/consent/:uid`: where a person allows an assistant to act for them, or refuses. Nothing is
 * allowed without a click, whatever was allowed before.
 */
export async function consentDoor(scope: FastifyInstance, deps: DoorDeps) {
  guardPages(scope, deps)
  await scope.register(async (pages) => consentPages(pages, deps))
}

async function consentPages(scope: FastifyInstance, deps: DoorDeps) {
  const { services, log, guards, oauth, config } = deps
  const { db, settings } = services
  const returns = createReturns(deps.publicUrl)
  const inBackground = createBackground(scope, log)

  scope.setErrorHandler((error, request, reply) => {
    const refusal = loggedRefusal(error, request, log)
    const title = problemTitle(refusal)
    const body = html`<h1>${title}</h1><p>${problemText(refusal)}</p>`
    return sendPage(setRefusal(reply, refusal), consentDocument(title, body))
  })

  const show = async (
    reply: FastifyReply,
    { uid, client, scopes, earlier }: AuthorizationRequest,
    developer: Developer,
    wrong?: string,
  ) => {
    reply.header('content-security-policy', policyFor(client))
    const choices = await Promise.all(
      (await choicesOf(developer)).map((choice) =>
        scopes.includes('bookings') ? withPayment(choice, developer.account_id, uid) : choice,
      ),
    )
    const isRepeat = earlier !== undefined && !client.isChanged && !client.isLocal
    const usable = choices.filter(({ suspendedReason }) => suspendedReason === null)
    const wished = isRepeat
      ? `${earlier.mode === 'test' ? TEST : ''}${earlier.account_id}`
      : developer.account_id
    const selected = usable.some(({ value }) => value === wished) ? wished : usable[0]?.value
    const idleDays = config.OAUTH_REFRESH_DAYS
    const view = { client, scopes, choices, selected, isRepeat, idleDays, wrong }
    return sendPage(reply, consentView({ ...view, email: developer.email }))
  }

  const choicesOf = async ({ id }: Developer): Promise<AccountChoice[]> =>
    (await listAccounts(services, id)).flatMap(({ account_id, account_name: name, ...one }) => {
      const common = { role: one.role, suspendedReason: one.suspended_reason }
      return [
        { ...common, value: account_id, name },
        { ...common, value: `${TEST}${account_id}`, name: `${name}, test` },
      ]
    })

  /** Adds who pays; the plan's page is about the account that is open in the session. */
  const withPayment = async (choice: AccountChoice, open: string, uid: string) => {
    if (choice.value.startsWith(TEST)) return choice
    const payment = await readBookingPayment(db, choice.value, settings.feePct)
    const canPay = choice.value === open && may(choice.role, 'change', 'plan')
    const planUrl = withQuery('/dashboard/plan', { return: `/oauth/consent/${uid}` })
    return { ...choice, payment, planUrl: canPay ? planUrl : undefined }
  }

  scope.get<Uid>('/oauth/consent/:uid', async (request, reply) => {
    const asked = await oauth.readAuthorizationRequest(request, reply)
    if (!asked) return closed(reply)
    if (request.developer) return show(reply, asked, request.developer)
    const path = `/oauth/consent/${asked.uid}`
    if (textFields(request.query, ['answer']).answer === 'cancel') {
      reply.header('content-security-policy', policyFor(asked.client))
      return sendPage(reply, cancelView(asked.client, path))
    }
    const title = `${assistantWords(asked.client)} ${wishWords(asked.scopes)}`
    returns.begin(reply, { path, title: title.slice(0, 200) })
    const isKnown = guards.readDevice(request) !== undefined
    return reply.redirect(withQuery(isKnown ? '/sign-in' : '/sign-up', { next: path }), 303)
  })

  const closed = (reply: FastifyReply) => {
    returns.end(reply)
    return sendPage(reply.status(410), closedView)
  }

  scope.post<Uid>('/oauth/consent/:uid', async (request, reply) => {
    const { developer } = request
    const asked = await oauth.readAuthorizationRequest(request, reply)
    if (!asked) return closed(reply)
    reply.header('content-security-policy', policyFor(asked.client))
    const { answer, account = '' } = textFields(request.body, ['answer', 'account'])
    if (answer !== 'allow') {
      returns.end(reply)
      return reply.redirect(await oauth.deny(request, reply), 303)
    }
    if (!developer) return reply.redirect(`/oauth/consent/${asked.uid}`, 303)
    const choice = (await choicesOf(developer)).find(({ value }) => value === account)
    if (!choice || choice.suspendedReason !== null) {
      return show(reply.status(400), asked, developer, 'Choose an account.')
    }
    const liveId = account.replace(TEST, '')
    const accountId = account.startsWith(TEST)
      ? await transaction(db, (tx) => findOrCreateSandbox(tx, liveId, new Date()))
      : liveId
    const scopes = scopesOfRole(choice.role, asked.scopes)
    const to = await oauth.approve(request, reply, { developerId: developer.id, accountId, scopes })
    returns.end(reply)
    const { name, redirectHost } = asked.client
    const connected = { client: name, host: redirectHost, account: choice.name }
    inBackground('the email about a new assistant was not sent', () =>
      notify(services, 'connected', developer.email, visitOf(request), connected),
    )
    return reply.redirect(to, 303)
  })
}

const plainOrigin = /^https?:\/\/[\w.-]+(?::\d+)?$/

/** Browsers apply `form-action` to the redirects after a form, so it names where they lead. */
function policyFor({ redirectUri }: AuthorizationRequest['client']): string {
  const { origin, protocol } = new URL(redirectUri)
  const target = plainOrigin.test(origin) ? origin : protocol
  return pagePolicy.replace("form-action 'self'", `form-action 'self' ${target}`)
}
