import type { FastifyInstance } from 'fastify'
import { refuse } from '../../../contract/rules/errors.ts'
import { type Html, html } from '../html.ts'
import { publicPage } from '../page.ts'
import {
  attachments,
  audiences,
  type PublishedDocument,
  publishedDocuments,
  readAttachment,
} from './documents.ts'
import type { Rendered } from './markdown.ts'
import { sendDocument, sendTwin } from './send-document.ts'

const MAX_AGE_SECONDS = 300
const HEADINGS_FOR_A_LIST = 4

const heads = { agents: 'For developers of agents', venues: 'For venues' } as const

/** `/docs` and a page for each published document, its twin in Markdown, and the files that they refer to. */
export async function docsPages(scope: FastifyInstance, { publicUrl }: { publicUrl: string }) {
  const htmlOf = (path: string, title: string, body: Html) =>
    publicPage(title, body, { canonical: `${publicUrl}${path}`, markdown: `${path}.md` })

  for (const path of ['/docs', '/docs.md']) {
    scope.get(path, async (request, reply) => {
      const documents = publishedDocuments()
      const html = () => htmlOf('/docs', 'Documentation', indexView(documents))
      return sendTwin(
        request,
        reply,
        { html, markdown: () => indexMarkdown(documents) },
        { isMarkdown: path.endsWith('.md'), maxAgeSeconds: MAX_AGE_SECONDS },
      )
    })
  }

  scope.get<{ Params: { page: string } }>('/docs/:page', async (request, reply) => {
    const { page: asked } = request.params
    const isMarkdown = asked.endsWith('.md')
    const wanted = isMarkdown ? asked.slice(0, -'.md'.length) : asked
    const found = publishedDocuments().find(({ name }) => name === wanted)
    if (!found) throw refuse('not_found', 'There is no such document.')
    const { name, source, rendered } = found
    const html = () => htmlOf(`/docs/${name}`, rendered.title, documentView(rendered))
    return sendTwin(
      request,
      reply,
      { html, markdown: () => source },
      { isMarkdown, maxAgeSeconds: MAX_AGE_SECONDS },
    )
  })

  for (const path of attachments) {
    scope.get(`/docs/${path}`, async (request, reply) =>
      sendDocument(
        request,
        reply,
        { type: 'text/plain', body: readAttachment(path) },
        MAX_AGE_SECONDS,
      ),
    )
  }
}

const indexView = (documents: readonly PublishedDocument[]) => html`
<h1>Documentation</h1>
<p>Endpoints and schemas are in the <a href="/reference/">API reference</a>, error codes in the <a href="/errors">list of errors</a>. For models: all pages as <a href="/llms-full.txt"><code>llms-full.txt</code></a>, or add <code>.md</code> to any address.</p>
${audiences.map(
  (audience) => html`<h2>${heads[audience]}</h2>
<ul class="list">${documents
    .filter((one) => one.audience === audience)
    .map(
      ({ name, rendered, summary }) =>
        html`<li><a href="/docs/${name}"><strong>${rendered.title}</strong></a><p>${summary}</p></li>`,
    )}</ul>`,
)}`

const indexMarkdown = (documents: readonly PublishedDocument[]) =>
  [
    '# Documentation',
    ...audiences.flatMap((audience) => [
      `## ${heads[audience]}`,
      documents
        .filter((one) => one.audience === audience)
        .map(({ name, rendered, summary }) => `- [${rendered.title}](/docs/${name}.md): ${summary}`)
        .join('\n'),
    ]),
    '',
  ].join('\n\n')

function documentView({ headings, body }: Rendered): Html {
  const sections = headings.filter(({ level }) => level === 2)
  const list =
    sections.length >= HEADINGS_FOR_A_LIST
      ? html`<nav class="contents" aria-label="On this page"><ul>${sections.map(
          ({ anchor, words }) => html`<li><a href="#${anchor}">${words}</a></li>`,
        )}</ul></nav>`
      : html``
  const titled = { markup: body.markup.replace('</h1>', () => `</h1>${list.markup}`) }
  return html`<p class="quiet"><a href="/docs">Documentation</a></p><article class="prose">${titled}</article>`
}
