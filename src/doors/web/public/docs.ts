import type { FastifyInstance } from 'fastify'
import { refuse } from '../../../contract/rules/errors.ts'
import { serveDocument } from '../../prepared-document.ts'
import type { DoorDeps } from '../../run-operation.ts'
import { DOCUMENT_SECONDS, serveTwins, TEXT } from '../../send-document.ts'
import { type Html, html } from '../html.ts'
import { publicPage } from '../page.ts'
import * as documents from './documents.ts'
import type { Rendered } from './markdown.ts'

const HEADINGS_FOR_A_LIST = 4

const heads = { agents: 'For developers of agents', venues: 'For venues' } as const

/** `/docs`, each published document with its twin in Markdown, and the files they link to. */
export async function docsPages(scope: FastifyInstance, { publicUrl }: DoorDeps) {
  const htmlOf = (path: string, title: string, body: Html) =>
    publicPage(title, body, { canonical: `${publicUrl}${path}`, markdown: `${path}.md` })

  serveTwins(scope, '/docs', DOCUMENT_SECONDS, async () => ({
    html: () => htmlOf('/docs', 'Documentation', indexView()),
    markdown: indexMarkdown,
  }))

  serveTwins(scope, '/docs/:page', DOCUMENT_SECONDS, async (_, name) => {
    const found = documents.publishedDocuments().find((one) => one.name === name)
    if (!found) throw refuse('not_found', 'There is no such document.')
    const { source, rendered } = found
    const html = () => htmlOf(`/docs/${name}`, rendered.title, documentView(rendered))
    return { html, markdown: () => source }
  })

  for (const path of documents.attachments)
    serveDocument(scope, `/docs/${path}`, TEXT, () => documents.readAttachment(path))
}

const indexView = () => html`
<h1>Documentation</h1>
<p>Endpoints and schemas are in the <a href="/reference/">API reference</a>, error codes in the
<a href="/errors">list of errors</a>. For models: all pages as
<a href="/llms-full.txt"><code>llms-full.txt</code></a>, or add <code>.md</code> to any address.</p>
${documents.audiences.map(
  (audience) =>
    html`<h2>${heads[audience]}</h2><ul class="list">${documents.documentsFor(audience).map(
      ({ name, rendered, summary }) => html`
<li><a href="/docs/${name}"><strong>${rendered.title}</strong></a><p>${summary}</p></li>`,
    )}</ul>`,
)}`

function indexMarkdown(): string {
  const sections = documents.audiences.map((audience) => {
    const lines = documents
      .documentsFor(audience)
      .map(({ name, rendered, summary }) => `- [${rendered.title}](/docs/${name}.md): ${summary}`)
    return `## ${heads[audience]}\n\n${lines.join('\n')}\n`
  })
  return ['# Documentation\n', ...sections].join('\n')
}

function documentView({ headings, body }: Rendered): Html {
  const sections = headings.filter(({ level }) => level === 2)
  const list =
    sections.length >= HEADINGS_FOR_A_LIST
      ? html`<nav class="contents" aria-label="On this page"><ul>${sections.map(
          ({ anchor, words }) => html`<li><a href="#${anchor}">${words}</a></li>`,
        )}</ul></nav>`
      : html``
  const prose = { markup: body.markup.replace('</h1>', () => `</h1>${list.markup}`) }
  return html`<p class="quiet"><a href="/docs">Documentation</a></p>
<article class="prose">${prose}</article>`
}
