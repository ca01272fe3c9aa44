import type { FastifyRequest } from 'fastify'
import { networkProfile } from '../../../contract/rules/network.ts'
import { assetPath } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { document } from '../page.ts'
import { troubleNotice } from './endpoint-trouble.ts'
import { offered, seesSection } from './roles.ts'
import { suspendedNotice } from './suspended-notice.ts'

/** The sections of the navigation, in groups and in this order. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Start: { quickstart: 'Quickstart', bookings: 'Bookings', agents: 'Agents' },
  Webhooks: { webhooks: 'Endpoints', deliveries: 'Deliveries', events: 'Events' },
  API: { keys: 'Keys', requests: 'Requests', usage: 'Usage and fees', plan: 'Plan' },
  Team: { members: 'Members', audit: 'Audit log' },
  You: { account: 'Account', operators: 'Operators' },
}

const elements = ['copy-button.js', 'relative-time.js', 'code-tabs.js']

export type DashboardView = {
  /** the only `h1`; the body's headings begin with `h2` */
  title: string
  body: Html
  /** what the last form did, above everything else */
  notice?: Html | undefined
  /** whether the notice is of something that went wrong */
  isBad?: boolean
  /** without scripts the page is loaded anew after so long */
  refreshSeconds?: number | undefined
  /** further files of `elements` */
  scripts?: readonly string[]
  /** further files of `styles` */
  styles?: readonly string[]
}

/** A page of the dashboard. It works without JavaScript, in light and dark, on a phone. */
export function dashboardPage(request: FastifyRequest, view: DashboardView): string {
  const { title, body, notice, isBad, refreshSeconds, scripts = [], styles = [] } = view
  const links = navigation(request)
  const head = html`
${['dashboard.css', ...styles].map(
  (name) => html`<link rel="stylesheet" href="${assetPath(name)}">`,
)}
${[...elements, ...scripts].map(
  (name) => html`<script type="module" src="${assetPath(name)}"></script>`,
)}
${
  refreshSeconds &&
  html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`
}`
  return document(
    `${title} · ${networkProfile.name}`,
    head,
    html`<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
  <a class="home" href="/">${networkProfile.name}</a>
  <details class="menu"><summary>Menu</summary>
    <nav aria-label="Dashboard, short">${links}</nav></details>
  <form class="leave" method="post" action="/sign-out">
    ${accountLink(request)}
    <span class="who">${request.developer?.email}</span><button class="plain">Sign out</button>
  </form>
</header>
<div class="frame">
<nav class="side" aria-label="Dashboard">${links}</nav>
<main id="content">
${suspendedNotice(request)}${troubleNotice(request)}
<h1>${title}</h1>
${notice && html`<p class="notice${isBad && ' bad'}" role="status">${notice}</p>`}
${offered(request, body)}
</main>
</div>
</body>`,
  )
}

/** Which account is shown, for developers who have several. */
const accountLink = ({ developer }: FastifyRequest): Html =>
  html`${
    developer &&
    developer.accounts > 1 &&
    html`<a href="/dashboard/accounts">${developer.account_name}</a>`
  }`

function navigation({ url, developer }: FastifyRequest): Html {
  const word = /^\/dashboard\/(\w+)/.exec(url)?.[1] ?? 'quickstart'
  // Replays belong to the endpoints.
  const current = word === 'replays' ? 'webhooks' : word
  const entry = ([section, label]: [string, string]) => html`
<li><a href="/dashboard${section !== 'quickstart' && `/${section}`}"${
    section === current && html` aria-current="page"`
  }>${label}</a></li>`
  const group = ([name, sections]: [string, Readonly<Record<string, string>>]) => html`
<li><span class="group">${name}</span><ul>${Object.entries(sections)
    .filter(([section]) => section !== 'operators' || developer?.is_operator)
    .filter(([section]) => !developer || seesSection(developer.role, section))
    .map(entry)}</ul></li>`
  return html`<ul>${Object.entries(groups).map(group)}</ul>`
}
