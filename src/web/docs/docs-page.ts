import { assetPath } from '../page/assets.ts'
import { type Html, html } from '../page/html.ts'
import { type About, publicPage } from '../page/page.ts'
import { sections } from './documents.ts'
import { referenceGroups } from './reference-operations.ts'

type Extra = { about?: About; words?: string }

/** A documentation page: search, the list of all pages, and `body`. */
export function docsPage(path: string, title: string, body: Html, { about, words }: Extra = {}) {
  const isReference = path.startsWith('/reference/')
  const content = html`
<div class="docs">
<div class="docs-top"><form role="search" action="/docs/find" method="get">
<input type="search" name="q" value="${words}" aria-label="Search the documentation"
placeholder="Search the docs" maxlength="100"><button>Search</button></form>
<a class="to-pages" href="#pages">All pages</a></div>
<nav id="pages" class="docs-pages" aria-label="Documentation">
${isReference ? referencePages(path) : documentPages(path)}</nav>
<div class="docs-body">${body}</div>
</div>`
  const head = html`
<link rel="stylesheet" href="${assetPath('docs.css')}">
<script src="${assetPath('copy-button.js')}" type="module"></script>
<script src="${assetPath('code-tabs.js')}" type="module"></script>${about?.head}`
  return publicPage(title, content, { picture: 'docs.png', ...about, head })
}

const pageLink = (href: string, words: string, path: string): Html =>
  html`<li><a href="${href}"${href === path && html` aria-current="page"`}>${words}</a></li>`

const documentPages = (path: string) => html`
${sections.map(
  ({ title, entries }) =>
    html`<p class="group">${title}</p><ul>${entries.map(({ name, short }) =>
      pageLink(`/docs/${name}`, short, path),
    )}</ul>`,
)}
<p class="group">Reference</p><ul>${pageLink('/reference/', 'API reference', path)}
${pageLink('/errors', 'Errors', path)}</ul>`

const referencePages = (path: string) => html`
<p><a href="/docs">Documentation</a></p>
<ul>${pageLink('/reference/', 'API reference', path)}</ul>
${referenceGroups.map(
  ({ title, operations }) =>
    html`<p class="group">${title}</p><ul>${operations.map(({ id, summary }) =>
      pageLink(`/reference/${id}`, summary, path),
    )}</ul>`,
)}`
