import type { FastifyReply } from 'fastify'
import type { Words } from '../../base/languages.ts'
import { dashboardPolicy } from '../../doors/http/content-policy.ts'
import { assetPath } from '../page/assets.ts'
import { type Html, html } from '../page/html.ts'
import { document, sendPage } from '../page/page.ts'

/** Shows a page without the site's navigation, under the name of a venue or of the network. */
export function showBare(
  reply: FastifyReply,
  { language, say }: Words,
  brand: string,
  title: string,
  body: Html,
  script?: string,
) {
  const head = html`<link rel="stylesheet" href="${assetPath('page.css')}">
<link rel="stylesheet" href="${assetPath('guest.css')}">${
    script && html`<script type="module" src="${assetPath(script)}"></script>`
  }`
  if (script) reply.header('content-security-policy', dashboardPolicy)
  const page = html`<body class="guest"><a class="skip" href="#content">${say('skip')}</a>
<header><strong>${brand}</strong></header><main id="content">${body}</main></body>`
  return sendPage(reply, document(title, head, page, language))
}
