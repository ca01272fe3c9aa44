import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkProfile } from '../../base/network.ts'
import { hasSessionCookie } from '../../doors/guards/session.ts'
import { assetPath } from './assets.ts'
import footerLinks from './footer-links.json' with { type: 'json' }
import { type Html, html } from './html.ts'

/** The header of every public page: its sections, and the sign-in link. */
const siteHeader = (isSignedIn: boolean): Html => html`
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
const siteFooter = html`
<footer class="site"><div class="about"><p><strong>${networkProfile.name}</strong></p>
<p>Bookings are made by AI agents, on behalf of people.</p></div>
${Object.entries(footerLinks).map(group)}</footer>`

const PICTURE_SIZE = { width: 1200, height: 630 }

/** `picture`: a file name in `pictures`. */
type Previewed = { description?: string; picture?: string }

/** Open Graph (ogp.me) and Twitter tags: how other sites preview a link to this page. */
function linkPreview(
  title: string,
  address: string,
  { description = networkProfile.description, picture = 'site.png' }: Previewed,
): Html {
  const image = new URL(assetPath(picture), address).href
  const properties = {
    'og:type': 'website',
    'og:site_name': networkProfile.name,
    'og:title': title,
    'og:description': description,
    'og:url': address,
    'og:image': image,
    'og:image:width': PICTURE_SIZE.width,
    'og:image:height': PICTURE_SIZE.height,
    'og:image:alt': title,
  }
  return html`${Object.entries(properties).map(
    ([name, value]) => html`<meta property="${name}" content="${value}">`,
  )}<meta name="twitter:card" content="summary_large_image">`
}

/** Sends a document that must not be cached. */
export const sendPage = (reply: FastifyReply, document: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(document)

/** A page of the public site, with its styles and with the network's name in the title. */
export const publicPage = (title: string, body: Html, about: About = {}): string =>
  page(`${title} · ${networkProfile.name}`, body, {
    ...about,
    head: html`<link rel="stylesheet" href="${assetPath('public.css')}">${about.head}`,
  })

/** Metadata about a page for crawlers and agents. */
export type About = {
  description?: string
  /** the canonical address, absolute */
  canonical?: string
  /** the address for link previews, on pages without a canonical one */
  address?: string
  /** the address of the page's Markdown version */
  markdown?: string
  /** the path of the picture for link previews */
  picture?: string
  /** further elements for the head, such as JSON-LD */
  head?: Html
  /** the request; if its reader is signed in, the header links to the dashboard */
  request?: FastifyRequest
}

/** A page for everyone. It works without JavaScript, in light and dark themes. */
export function page(title: string, body: Html, about: About = {}): string {
  const { description = networkProfile.description, canonical, markdown, head, request } = about
  const shared = canonical ?? about.address
  const more = html`
  <meta name="description" content="${description}">
  <link rel="stylesheet" href="${assetPath('page.css')}">
  <link rel="service-desc" href="/openapi.json" type="application/json">
  <link rel="api-catalog" href="/.well-known/api-catalog" type="application/linkset+json">
  ${canonical && html`<link rel="canonical" href="${canonical}">`}
  ${markdown && html`<link rel="alternate" href="${markdown}" type="text/markdown">`}
  ${shared && linkPreview(title, shared, about)}
  ${head}`
  return document(
    title,
    more,
    html`<body>
<a class="skip" href="#content">Skip to the content</a>
${siteHeader(request !== undefined && hasSessionCookie(request))}
<main id="content">${body}</main>
${siteFooter}
</body>`,
  )
}

/**
 * A complete document. `head` is appended to the common head; `body` is the body element. With
 * `isLight`, its styles need no font.
 */
export const document = (
  title: string,
  head: Html,
  body: Html,
  language = 'en',
  isLight = false,
): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title}</title>
  <link rel="icon" href="${assetPath('icon.svg')}">
  ${
    !isLight &&
    html`<link rel="preload" href="${assetPath('inter-latin.woff2')}" as="font" type="font/woff2"
  crossorigin>`
  }
  <link rel="stylesheet" href="${assetPath('base.css')}">
  ${head}
</head>
${body}
</html>
`.markup
