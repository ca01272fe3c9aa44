import type { FastifyReply } from 'fastify'
import { networkProfile } from '../../contract/rules/network.ts'
import { assetPath } from './assets.ts'
import { type Html, html } from './html.ts'

/** Sends a document that nobody may keep. */
export const sendPage = (reply: FastifyReply, document: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(document)

/** A page for everybody: with the styles that only these have, and the name of the network behind its title. */
export const publicPage = (title: string, body: Html, about: About = {}): string =>
  page(`${title} · ${networkProfile.name}`, body, {
    ...about,
    head: html`<link rel="stylesheet" href="${assetPath('public.css')}">${about.head ?? ''}`,
  })

/** What a page says of itself to crawlers and agents. */
export type About = {
  description?: string
  /** the whole address under which it wants to be known */
  canonical?: string
  /** where the same is Markdown */
  markdown?: string
  /** more of the head, as its JSON-LD */
  head?: Html
}

/** A whole document around `body`; works without JavaScript, in light and dark. */
export function page(title: string, body: Html, about: About = {}): string {
  const { description = networkProfile.description, canonical, markdown, head } = about
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="description" content="${description}">
  <title>${title}</title>
  <link rel="icon" href="${assetPath('icon.svg')}">
  <link rel="stylesheet" href="${assetPath('base.css')}">
  <link rel="stylesheet" href="${assetPath('page.css')}">
  <link rel="service-desc" href="/openapi.json" type="application/json">
  <link rel="api-catalog" href="/.well-known/api-catalog" type="application/linkset+json">
  ${canonical ? html`<link rel="canonical" href="${canonical}">` : ''}
  ${markdown ? html`<link rel="alternate" href="${markdown}" type="text/markdown">` : ''}
  ${head ?? ''}
</head>
<body>
<header><a href="/">${networkProfile.name}</a><nav aria-label="Site"><a href="/venues">Venues</a> <a href="/docs">Docs</a> <a href="/reference/">API</a> <a href="/status">Status</a> <a href="/dashboard">Dashboard</a></nav></header>
<main>
${body}
</main>
</body>
</html>
`.markup
}
