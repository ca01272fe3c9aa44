import { networkProfile } from '../../base/network.ts'
import { type Role, scopesOfRole } from '../../base/roles.ts'
import type { Scope } from '../../base/scopes.ts'
import type { ShownClient } from '../../oauth/rules/clients.ts'
import type { BookingPayment } from '../../payments/steps/booking-payment.ts'
import { assetPath } from '../page/assets.ts'
import * as ui from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { document } from '../page/page.ts'
import { assistantMay, assistantWords, mayInShort, READS, wishWords } from './consent-words.ts'

/** An account that the person can choose, live or its sandbox. */
export type AccountChoice = {
  /** the account's id; of a sandbox, that of its live account after `test:` */
  value: string
  name: string
  role: Role
  /** why an operator suspended it */
  suspendedReason: string | null
  /** who pays for bookings; absent if that does not matter */
  payment?: BookingPayment | undefined
  /** where this person can change who pays */
  planUrl?: string | undefined
}

/** What the consent page shows. */
export type Consent = {
  client: ShownClient & { isChanged: boolean }
  scopes: readonly Scope[]
  email: string
  choices: readonly AccountChoice[]
  /** the value of the selected choice */
  selected: string | undefined
  /** the client, sent back to the same address, has these scopes for this account already */
  isRepeat: boolean
  /** days without use after which the connection ends */
  idleDays: number
  wrong?: string | undefined
}

/**
 * A page without the site's navigation, so that nothing distracts from its question; frames are
 * refused by its content policy.
 */
export const consentDocument = (title: string, body: Html): string =>
  document(
    `${title} · ${networkProfile.name}`,
    html`<link rel="stylesheet" href="${assetPath('page.css')}">
<link rel="stylesheet" href="${assetPath('consent.css')}">`,
    html`<body class="consent"><header class="site"><span class="brand"><img
src="${assetPath('icon.svg')}" alt="" width="24" height="24"> ${networkProfile.name}</span></header>
<main id="content" class="narrow">${body}</main></body>`,
  )

/** `/oauth/consent/:uid`: what an assistant asks for, and the form that allows or refuses it. */
export function consentView(consent: Consent): string {
  const { client, scopes, email, wrong, isRepeat } = consent
  const who = assistantWords(client)
  const more = html`${rights(consent)}${duration(consent)}`
  const body = html`
<h1><strong class="host">${who}</strong> ${wishWords(scopes)}</h1>
${claim(client)}${ui.alert(wrong)}
${caution(client)}${isRepeat ? repeated(more) : more}
<form class="stack" method="post">
${accountChoice(consent)}
<p class="row"><button class="main" name="answer" value="allow">Allow</button>
<button name="answer" value="cancel">Cancel</button></p></form>
<form class="row" method="post" action="/sign-out"><span class="quiet">Signed in as ${email}</span>
<button class="plain">Not you? Sign out</button></form>`
  return consentDocument(`${who} ${wishWords(scopes)}`, body)
}

const repeated = (more: Html) => html`
<p>You allowed this before, for the same account.</p>
<details><summary>What you allowed</summary>${more}</details>`

/** What the client says about itself, and what of it nobody has checked. */
function claim(client: Consent['client']): Html {
  const { kind, name, policyUrl } = client
  const policy =
    policyUrl && html` <a href="${policyUrl}" rel="noreferrer noopener">Its privacy policy</a>`
  if (kind === 'predefined') return html`<p>The operator of this network added it.${policy}</p>`
  return html`<p>It calls itself “${name}”. ${
    client.isLocal && 'Any program can say that, so we cannot check it.'
  }${policy}</p>`
}

/** The way in for phishing is a link that a stranger sends: the person did not start anything. */
function caution(client: Consent['client']): Html {
  const who = assistantWords(client)
  const changed =
    client.isChanged &&
    html`<p class="notice bad">Its name or addresses have changed since you last
connected it.</p>`
  if (client.isKnown) return html`${changed}<p>Continue only if you started this in ${who}.</p>`
  return html`${changed}<p class="notice bad">${
    client.isLocal ? 'We cannot tell which program this is.' : `We do not know ${who}.`
  } <strong>Continue only if you started this.</strong> If somebody sent you a link, or told you to
click Allow, press Cancel.</p>`
}

const rights = ({ scopes }: Consent) => html`
<h2>It may</h2><ul><li>${READS}</li>${scopes.map((one) => html`<li>${assistantMay[one]}</li>`)}</ul>
<p class="quiet">It gets no password and no key, and cannot change your plan, members or card.</p>`

const duration = ({ idleDays }: Consent) => html`
<h2>For how long</h2><p>Until you disconnect it under Assistants in your dashboard, or it has not
been used for ${idleDays} days.</p>`

const accountChoice = ({ choices, selected, scopes }: Consent) => html`
<fieldset><legend>For</legend>${choices.map(
  (choice) => html`<div><label class="check"><input type="radio" name="account"
value="${choice.value}"${choice.value === selected && html` checked`}${
    choice.suspendedReason !== null && html` disabled`
  }> <span><strong>${choice.name}</strong>${limits(choice, scopes)}</span></label></div>`,
)}</fieldset>`

/** What is special about an account: who pays, or why an assistant can do less there. */
function limits(
  { value, role, suspendedReason, payment, planUrl }: AccountChoice,
  scopes: readonly Scope[],
) {
  if (suspendedReason !== null) return html`<br>${ui.quiet(`Suspended: ${suspendedReason}`)}`
  if (value.startsWith('test:')) {
    return html`<br>${ui.quiet('A sandbox: no venue or guest is contacted, nothing costs money')}`
  }
  const granted = scopesOfRole(role, scopes)
  const lacks = scopes.filter((one) => !granted.includes(one)).map(mayInShort)
  return html`${payment && html`<br>${ui.quiet(paymentWords(payment, planUrl))}`}${
    lacks.length > 0 &&
    html`<br>${ui.quiet(`You are ${role} here, so it may not ${lacks.join('; ').toLowerCase()}.`)}`
  }`
}

function paymentWords({ by, card, fee }: BookingPayment, planUrl?: string): Html {
  if (by === 'plan') return html`Pro: a booking costs ${fee}, on your monthly invoice.`
  const to = card ? `your ${card.brand} that ends in ${card.last4}` : 'your card'
  if (by === 'card') return html`A booking costs ${fee}, charged to ${to} once the venue says yes.`
  return html`A booking costs ${fee}, and nothing pays for it yet. ${
    planUrl ? ui.link(planUrl, 'Save a card or take pro') : 'Ask an owner to save a card.'
  }`
}

/** Somebody who is not signed in says no; the assistant then waits no longer. */
export const cancelView = (client: ShownClient, path: string): string =>
  consentDocument(
    'Say no',
    html`<h1>Say no to <strong class="host">${assistantWords(client)}</strong>?</h1>
<p>It gets no access.</p>
<form class="row" method="post"><button class="main" name="answer" value="cancel">Say no</button>
${ui.link(path, 'Back')}</form>`,
  )

/** The request was answered, has expired, or was started in another browser. */
export const closedView = consentDocument(
  'This request is closed',
  html`<h1>This request is closed</h1>
<p>It was answered already, has expired, or was started in another browser. If your assistant is not
connected, go back to it and connect again.</p>
<p>${ui.link('/dashboard/connections', 'See your connected assistants')}</p>`,
)
