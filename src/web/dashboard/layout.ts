import type { FastifyRequest } from 'fastify'
import { networkProfile } from '../../base/network.ts'
import { assetPath } from '../page/assets.ts'
import { textFields } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { document } from '../page/page.ts'
import { troubleNotice } from './endpoint-trouble.ts'
import { withAccount } from './form-account.ts'
import { modeNotice, modeSwitch } from './mode.ts'
import { linksInMode } from './mode-address.ts'
import navigationTexts from './navigation.json' with { type: 'json' }
import { inZone, zoneOf, zoneText } from './reader-zone.ts'
import { offered, seesSection } from './roles.ts'
import { suspendedNotice } from './suspended-notice.ts'
import { unverifiedNotice } from './unverified-notice.ts'

/**
 * The sections of the navigation, in display order and grouped, and pages outside the dashboard
 * that developers need while working in it.
 */
const { groups, elsewhere } = navigationTexts

/** Sections that are shown under another section. */
const parents: Readonly<Record<string, string>> = navigationTexts.parents

const elements = [
  'copy-button.js',
  'relative-time.js',
  'code-tabs.js',
  'search-box.js',
  'time-zone.js',
]

export type DashboardView = {
  /** the only `h1`; headings in the body start at `h2` */
  title: string
  body: Html
  /** the pages above this one, outermost first, each with name and path */
  crumbs?: readonly (readonly [name: string, path: string])[]
  /** the outcome of the last form, shown above everything else */
  notice?: Html | undefined
  /** whether the notice reports a failure */
  isBad?: boolean
  /** seconds until the page reloads in browsers without scripts */
  refreshSeconds?: number | undefined
  /** additional files from `elements` */
  scripts?: readonly string[]
  /** additional files from `styles` */
  styles?: readonly string[]
}

/** A dashboard page. It works without JavaScript, in light and dark themes, and on phones. */
export function dashboardPage(request: FastifyRequest, view: DashboardView): string {
  const { title, body, crumbs, notice, isBad, refreshSeconds, scripts = [], styles = [] } = view
  const links = navigation(request)
  const zone = zoneOf(request)
  const head = html`
${['dashboard.css', 'frame.css', ...styles].map(
  (name) => html`<link rel="stylesheet" href="${assetPath(name)}">`,
)}
${[...elements, ...scripts].map(
  (name) => html`<script type="module" src="${assetPath(name)}"></script>`,
)}
${
  refreshSeconds &&
  html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`
}`
  const page = document(
    `${title} · ${networkProfile.name}`,
    head,
    html`<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
  <a class="home" href="/">${networkProfile.name}</a>
  ${modeSwitch(request, sectionOf(request))}
  <details class="menu"><summary>Menu</summary>
    <nav aria-label="Dashboard, short">${links}</nav></details>
  ${searchBox(request)}
  <form class="leave" method="post" action="/sign-out">
    ${accountLink(request)}
    <span class="who">${request.developer?.email}</span><button class="plain">Sign out</button>
  </form>
</header>
<div class="frame">
<nav class="side" aria-label="Dashboard">${links}
<p class="zone">Times in ${zoneText(zone, new Date())}</p>
</nav>
<main id="content">
${inZone(modeNotice(request), zone)}${suspendedNotice(request)}${troubleNotice(request)}
${unverifiedNotice(request)}
${crumbs && crumbsView(crumbs)}
<h1>${title}</h1>
${notice && html`<p class="notice${isBad && ' bad'}" role="status">${inZone(notice, zone)}</p>`}
${offered(request, inZone(body, zone))}
</main>
</div>
</body>`,
  )
  return withAccount(request, linksInMode(request, page))
}

const SEARCH_PATH = '/dashboard/search'

function searchBox({ routeOptions, query }: FastifyRequest): Html {
  const isSearch = routeOptions.url === SEARCH_PATH
  const { q = '' } = isSearch ? textFields(query, ['q']) : {}
  return html`
<search-box><form role="search" action="${SEARCH_PATH}"><input type="search" name="q" value="${q}"
aria-label="Search the dashboard" placeholder="Search ids, venues, endpoints" maxlength="200"
autocomplete="off" spellcheck="false" enterkeyhint="search"></form></search-box>`
}
const crumbsView = (crumbs: NonNullable<DashboardView['crumbs']>): Html => html`
<nav class="crumbs" aria-label="Breadcrumbs"><ol>${crumbs.map(
  ([name, path]) => html`<li><a href="${path}">${name}</a></li>`,
)}</ol></nav>`
/** The current account, shown to developers who have several. */
const accountLink = ({ developer }: FastifyRequest): Html =>
  html`${
    developer &&
    developer.accounts > 1 &&
    html`<a href="/dashboard/accounts">${developer.account_name}</a>`
  }`

const names = new Set(Object.values(groups).flatMap((sections) => Object.keys(sections)))

/** The navigation section of a page; the overview by default. */
function sectionOf({ routeOptions }: FastifyRequest): string {
  const word = /^\/dashboard\/(\w+)/.exec(routeOptions.url ?? '')?.[1] ?? ''
  const section = parents[word] ?? word
  return names.has(section) ? section : ''
}

function navigation(request: FastifyRequest): Html {
  const { developer } = request
  const current = sectionOf(request)
  const entry = (href: string, label: string, isCurrent = false) =>
    html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${label}</a></li>`
  const group = (name: string, entries: readonly Html[]) =>
    html`<li><span class="group">${name}</span><ul>${entries}</ul></li>`
  const ofSections = Object.entries(groups).map(([name, sections]) =>
    group(
      name,
      Object.entries(sections)
        .filter(([section]) => section !== 'operators' || developer?.is_operator)
        .filter(([section]) => !developer || seesSection(developer.role, section))
        .map(([section, label]) =>
          entry(`/dashboard${section && `/${section}`}`, label, section === current),
        ),
    ),
  )
  const help = Object.entries(elsewhere).map(([href, label]) => entry(href, label))
  return html`<ul>${ofSections}${group('Help', help)}</ul>`
}
