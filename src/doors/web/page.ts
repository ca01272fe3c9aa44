import { networkProfile } from '../../model/network.ts'
import { assetPath } from './assets.ts'
import { type Html, html } from './html.ts'

/** A whole document around `body`; works without JavaScript, in light and dark. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="description" content="${networkProfile.description}">
  <title>${title}</title>
  <link rel="icon" href="${assetPath('icon.svg')}">
  <link rel="stylesheet" href="${assetPath('base.css')}">
  <link rel="stylesheet" href="${assetPath('page.css')}">
  <link rel="service-desc" href="/openapi.json" type="application/json">
</head>
<body>
<header><a href="/">${networkProfile.name}</a><nav><a href="/reference/">API reference</a> <a href="/errors">Errors</a> <a href="/dashboard">Dashboard</a></nav></header>
<main>
${body}
</main>
</body>
</html>
`.markup
}
