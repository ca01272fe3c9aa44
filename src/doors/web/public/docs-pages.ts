import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../../model/errors.ts'
import { networkProfile } from '../../../model/network.ts'
import { type Html, html } from '../html.ts'
import { page } from '../page.ts'
import {
  attachments,
  audiences,
  type DocumentEntry,
  documentEntries,
  readAttachment,
  readDocument,
} from './documents.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'
import { sendDocument, sendTwin } from './send-document.ts'

const MAX_AGE_SECONDS = 300
const HEADINGS_FOR_A_LIST = 4

const heads = { agents: 'For developers of agents', venues: 'For venues' } as const

/** `/docs` and a page for each published document, its twin in Markdown, and the files that they refer to. */
export async function docsPages(scope: FastifyInstance, { publicUrl }: { publicUrl: string }) {
  const documents = new Map(
    documentEntries.map((entry) => {
      const source = readDocument(entry.name)
      return [entry.name, { ...entry, source, rendered: renderMarkdown(source) }]
    }),
  )
  type Shown = { path: string; html: string; markdown: string }
  const serve = (request: FastifyRequest, reply: FastifyReply, shown: Shown, isMarkdown: boolean) =>
    sendTwin(
      request,
      reply,
      { html: () => shown.html, markdown: () => shown.markdown },
      { isMarkdown, maxAgeSeconds: MAX_AGE_SECONDS },
    )
  const shownAs = (path: string, title: string, body: Html, markdown: string): Shown => ({
    path,
    markdown,
    html: page(`${title} · ${networkProfile.name}`, body, {
      canonical: `${publicUrl}${path}`,
      markdown: `${path}.md`,
    }),
  })

  const titled = [...documents.values()].map((one) => ({ ...one, title: one.rendered.title }))
  const index = shownAs('/docs', 'Documentation', indexView(titled), indexMarkdown(titled))
  scope.get('/docs', async (request, reply) => serve(request, reply, index, false))
  scope.get('/docs.md', async (request, reply) => serve(request, reply, index, true))

  const pages = new Map(
    [...documents.values()].map(({ name, source, rendered }) => [
      name,
      shownAs(`/docs/${name}`, rendered.title, documentView(rendered), source),
    ]),
  )
  scope.get<{ Params: { page: string } }>('/docs/:page', async (request, reply) => {
    const { page: asked } = request.params
    const isMarkdown = asked.endsWith('.md')
    const shown = pages.get(isMarkdown ? asked.slice(0, -'.md'.length) : asked)
    if (!shown) throw refuse('not_found')
    return serve(request, reply, shown, isMarkdown)
  })

  for (const path of attachments) {
    const body = readAttachment(path)
    scope.get(`/docs/${path}`, async (request, reply) =>
      sendDocument(request, reply, { type: 'text/plain', body }, MAX_AGE_SECONDS),
    )
  }
}

type Titled = DocumentEntry & { title: string }

const indexView = (documents: readonly Titled[]) => html`
<h1>Documentation</h1>
<p>Every call with its schema is in the <a href="/reference/">API reference</a>, every refusal in the <a href="/errors">list of errors</a>. All of these pages as one text: <a href="/llms-full.txt"><code>llms-full.txt</code></a>; each as Markdown: add <code>.md</code> to its address.</p>
${audiences.map(
  (audience) => html`<h2>${heads[audience]}</h2>
<ul class="list">${documents
    .filter((one) => one.audience === audience)
    .map(
      ({ name, title, summary }) =>
        html`<li><a href="/docs/${name}"><strong>${title}</strong></a><p>${summary}</p></li>`,
    )}</ul>`,
)}`

const indexMarkdown = (documents: readonly Titled[]) =>
  [
    '# Documentation',
    ...audiences.map((audience) =>
      [
        `## ${heads[audience]}`,
        '',
        ...documents.filter((one) => one.audience === audience).map(line),
      ].join('\n'),
    ),
    '',
  ].join('\n\n')

const line = ({ name, title, summary }: Titled) => `- [${title}](/docs/${name}.md): ${summary}`

function documentView({ headings, body }: Rendered): Html {
  const sections = headings.filter(({ level }) => level === 2)
  const list =
    sections.length >= HEADINGS_FOR_A_LIST
      ? html`<nav class="contents" aria-label="On this page"><ul>${sections.map(
          ({ anchor, words }) => html`<li><a href="#${anchor}">${words}</a></li>`,
        )}</ul></nav>`
      : html``
  return html`<p class="quiet"><a href="/docs">Documentation</a></p>${list}<article class="prose">${body}</article>`
}
