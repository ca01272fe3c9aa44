import { networkProfile } from '../../base/network.ts'
import { assetPath } from './assets.ts'
import footerLinks from './footer-links.json' with { type: 'json' }
import { type Html, html } from './html.ts'

/** The header of every public page: its sections, and the sign-in link. */
export const siteHeader = (isSignedIn: boolean): Html => html`
<header class="site"><a class="brand" href="/"><img src="${assetPath('icon.svg')}" alt=""
width="24" height="24"> ${networkProfile.name}</a>
<nav aria-label="Site"><a href="/venues">Venues</a> <a href="/docs">Docs</a>
<a href="/reference/">API</a> <a href="/#pricing">Pricing</a> <a href="/status">Status</a></nav>
<div class="account">${
  isSignedIn
    ? html`<a class="button" href="/dashboard">Dashboard</a>`
    : html`<a href="/sign-in">Sign in</a> <a class="button" href="/sign-up">Sign up</a>`
}</div></header>`

const group = ([title, links]: [string, Readonly<Record<string, string>>]) => html`
<nav aria-label="${title}"><p>${title}</p><ul>${Object.entries(links).map(
  ([href, words]) => html`<li><a href="${href}">${words}</a></li>`,
)}</ul></nav>`

/** The footer of every public page. */
export const siteFooter = html`
<footer class="site"><div class="about"><p><strong>${networkProfile.name}</strong></p>
<p>Bookings are made by AI agents, on behalf of people.</p></div>
${Object.entries(footerLinks).map(group)}</footer>`
