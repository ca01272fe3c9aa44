import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { dashboardPolicy } from '../../doors/http/content-policy.ts'
import { serveDocument } from '../../doors/http/prepared-document.ts'
import { DOCUMENT_SECONDS, serveTwins, TEXT } from '../../doors/http/send-document.ts'
import { textFields, withQuery } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'
import { docsPage } from './docs-page.ts'
import {
  attachments,
  type PublishedDocument,
  publishedDocuments,
  readAttachment,
  sections,
} from './documents.ts'
import { createDocsSearch, type DocsMatch } from './search-docs.ts'

const HEADINGS_FOR_A_LIST = 3

/** `/docs`, each published document with its Markdown version, and the files linked from them. */
export async function docsPages(scope: FastifyInstance, { publicUrl }: DoorDeps) {
  const documents = () => publishedDocuments(publicUrl)
  const aboutOf = (path: string, request: FastifyRequest) => ({
    canonical: `${publicUrl}${path}`,
    markdown: `${path}.md`,
    request,
  })
  // The copy buttons need scripts.
  scope.addHook('onRequest', async (_, reply) => {
    reply.header('content-security-policy', dashboardPolicy)
  })

  serveTwins(scope, '/docs', DOCUMENT_SECONDS, async ({ request }) => ({
    html: () =>
      docsPage('/docs', 'Documentation', indexView(documents()), {
        about: aboutOf('/docs', request),
      }),
    markdown: () => indexMarkdown(documents()),
  }))

  serveTwins(scope, '/docs/:page', DOCUMENT_SECONDS, async ({ request }, name) => {
    const all = documents()
    const index = all.findIndex((one) => one.name === name)
    const entry = all[index]
    if (!entry) throw refuse('not_found', 'There is no such document.')
    const path = `/docs/${name}`
    const view = documentView(entry, all[index - 1], all[index + 1])
    return {
      html: () => docsPage(path, entry.rendered.title, view, { about: aboutOf(path, request) }),
      markdown: () => entry.source,
    }
  })

  const search = createDocsSearch(documents)
  scope.get('/docs/find', async (request, reply: FastifyReply) => {
    const { q = '' } = textFields(request.query, ['q'])
    const words = q.slice(0, MAX_SEARCHED)
    const view = foundView(words, search(words))
    const address = `${publicUrl}${withQuery('/docs/find', { q: words })}`
    return sendPage(
      reply,
      docsPage('/docs/find', 'Search', view, { about: { request, address }, words }),
    )
  })

  for (const path of attachments)
    serveDocument(scope, `/docs/${path}`, TEXT, () => readAttachment(path))
}

const MAX_SEARCHED = 100

const titleIn = (documents: readonly PublishedDocument[], name: string) =>
  documents.find((one) => one.name === name)?.rendered.title ?? name

const indexView = (documents: readonly PublishedDocument[]) => html`
<h1>Documentation</h1>
<p class="lead">Find a venue, see what’s free and book it, from an agent, a model or your own code.
<a href="/docs/getting-started">Getting started</a> takes you from sign-up to a booking and its
webhook in a few minutes.</p>
${sections.map(
  ({ title, entries }) =>
    html`<h2>${title}</h2><ul class="topics">${entries.map(
      ({ name, summary }) => html`
<li><a href="/docs/${name}">${titleIn(documents, name)}</a><p>${summary}</p></li>`,
    )}</ul>`,
)}
<h2>For models</h2>
<p>Every page is also Markdown: add <code>.md</code> to its address.
<a href="/llms.txt"><code>llms.txt</code></a> is the index, and
<a href="/llms-full.txt"><code>llms-full.txt</code></a> has all of it in one file.</p>`

function indexMarkdown(documents: readonly PublishedDocument[]): string {
  const lists = sections.map(({ title, entries }) => {
    const lines = entries.map(
      ({ name, summary }) => `- [${titleIn(documents, name)}](/docs/${name}.md): ${summary}`,
    )
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return ['# Documentation\n', ...lists].join('\n')
}

function documentView(
  { name, rendered: { headings, body } }: PublishedDocument,
  before: PublishedDocument | undefined,
  after: PublishedDocument | undefined,
): Html {
  const below = headings.filter(({ level }) => level === 2)
  const contents =
    below.length >= HEADINGS_FOR_A_LIST
      ? html`<nav class="on-this-page" aria-label="On this page"><h2>On this page</h2>
<ul>${below.map(
          ({ anchor, words }) => html`<li><a href="#${anchor}">${words}</a></li>`,
        )}</ul></nav>`
      : html``
  const step = (document: PublishedDocument | undefined, rel: 'prev' | 'next') =>
    document &&
    html`<a rel="${rel}" href="/docs/${document.name}">
<span>${rel === 'prev' ? 'Previous' : 'Next'}</span>
${document.rendered.title}</a>`
  return html`<article class="prose">${body}</article>
<nav class="steps" aria-label="Previous and next">
${step(before, 'prev')}${step(after, 'next')}</nav>
<p class="quiet"><a href="/docs/${name}.md">This page as Markdown</a></p>
${contents}`
}

const foundView = (words: string, matches: readonly DocsMatch[]) => html`
<h1>${words ? `Results for “${words}”` : 'Search'}</h1>
${
  matches.length > 0
    ? html`<ol class="found">${matches.map(
        ({ address, title, heading, excerpt }) => html`
<li><a href="${address}">${heading}</a> <span class="quiet">${title}</span><p>${excerpt}</p></li>`,
      )}</ol>`
    : html`<p>${
        words
          ? 'Nothing matches. Try other words, or start from the'
          : 'Say what you are looking for, or start from the'
      } <a href="/docs">list of all pages</a>.</p>`
}`
