import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkProfile } from '../../base/network.ts'
import { hasSessionCookie } from '../../doors/guards/session.ts'
import { assetPath } from './assets.ts'
import { type Html, html } from './html.ts'
import { linkPreview } from './link-preview.ts'
import { siteFooter, siteHeader } from './site-frame.ts'

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

/** A complete document. `head` is appended to the common head; `body` is the body element. */
export const document = (title: string, head: Html, body: Html, language = 'en'): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title}</title>
  <link rel="icon" href="${assetPath('icon.svg')}">
  <link rel="preload" href="${assetPath('inter-latin.woff2')}" as="font" type="font/woff2"
  crossorigin>
  <link rel="stylesheet" href="${assetPath('base.css')}">
  ${head}
</head>
${body}
</html>
`.markup
