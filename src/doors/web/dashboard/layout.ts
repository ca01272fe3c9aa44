import type { FastifyRequest } from 'fastify'
import { networkProfile } from '../../../contract/rules/network.ts'
import { assetPath } from '../assets.ts'
import { type Html, html } from '../html.ts'

/** The pages of the navigation, in groups and in this order. */
const groups = {
  Start: { quickstart: 'Quickstart', bookings: 'Bookings', agents: 'Agents' },
  Webhooks: { webhooks: 'Endpoints', deliveries: 'Deliveries', events: 'Events' },
  API: { keys: 'Keys', requests: 'Requests', usage: 'Usage and fees', plan: 'Plan' },
  You: { account: 'Account', operators: 'Operators' },
} as const

type Groups = typeof groups
/** Where in the navigation a page stands. */
export type Section = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups]

const elements = ['copy-button.js', 'relative-time.js', 'code-tabs.js']

export type DashboardView = {
  /** the only `h1`; the body's headings begin with `h2` */
  title: string
  section: Section
  body: Html
  /** what has just been done, said above everything else */
  notice?: Html | undefined
  /** further files of `elements` */
  scripts?: readonly string[]
  /** further files of `styles` */
  styles?: readonly string[]
}

/** A whole document of the dashboard around `body`; works without JavaScript, in light and dark, on a phone. */
export function dashboardPage(request: FastifyRequest, view: DashboardView): string {
  const { title, section, body, notice, scripts = [], styles = [] } = view
  const isOperator = request.developer?.isOperator ?? false
  const links = navigation(section, isOperator)
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · ${networkProfile.name}</title>
  <link rel="icon" href="${assetPath('icon.svg')}">
  ${['base.css', 'dashboard.css', ...styles].map((name) => html`<link rel="stylesheet" href="${assetPath(name)}">`)}
  ${[...elements, ...scripts].map((name) => html`<script type="module" src="${assetPath(name)}"></script>`)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
  <a class="home" href="/">${networkProfile.name}</a>
  <details class="menu"><summary>Menu</summary><nav aria-label="Dashboard, short">${links}</nav></details>
  <form class="leave" method="post" action="/sign-out"><span class="who">${request.developer?.email ?? ''}</span><button class="plain">Sign out</button></form>
</header>
<div class="frame">
<nav class="side" aria-label="Dashboard">${links}</nav>
<main id="content">
<h1>${title}</h1>
${notice ? html`<p class="notice" role="status">${notice}</p>` : ''}
${body}
</main>
</div>
</body>
</html>
`.markup
}

const pathOf = (section: string) =>
  section === 'quickstart' ? '/dashboard' : `/dashboard/${section}`

function navigation(current: Section, isOperator: boolean): Html {
  const entry = ([section, label]: [string, string]) => html`
<li><a href="${pathOf(section)}"${section === current ? html` aria-current="page"` : ''}>${label}</a></li>`
  const group = ([name, sections]: [string, Readonly<Record<string, string>>]) => html`
<li><span class="group">${name}</span><ul>${Object.entries(sections)
    .filter(([section]) => section !== 'operators' || isOperator)
    .map(entry)}</ul></li>`
  return html`<ul>${Object.entries(groups).map(group)}</ul>`
}
