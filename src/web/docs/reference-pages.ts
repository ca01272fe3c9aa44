import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorCatalogue } from '../../base/error-catalogue.ts'
import { refuse } from '../../base/errors.ts'
import { jsonSchemaOf } from '../../doors/calls/json-schema.ts'
import { answerSchemaOf } from '../../doors/calls/read-fields.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { dashboardPolicy } from '../../doors/http/content-policy.ts'
import { serveDocument } from '../../doors/http/prepared-document.ts'
import { DOCUMENT_SECONDS, HTML, JSON_TYPE, sendDocument } from '../../doors/http/send-document.ts'
import { codeBlock, codeTabs, jsonText } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { highlight } from '../site/highlight.ts'
import { docsPage } from './docs-page.ts'
import {
  openApi,
  type ReferenceOperation,
  referenceGroups,
  referenceOperations,
} from './reference-operations.ts'
import { exampleCalls } from './reference-samples.ts'
import { fieldsView, fieldView, type Schema } from './schema-view.ts'
import { withCode } from './with-code.ts'

/** `/openapi.json`. Programs read it, so it does not count as a page view. */
export async function openApiFile(scope: FastifyInstance, { guards }: Pick<DoorDeps, 'guards'>) {
  scope.addHook('onRequest', async () => guards.admit())
  serveDocument(scope, '/openapi.json', JSON_TYPE, () => JSON.stringify(openApi))
}

/** `/reference/`: the contents of `/openapi.json`, with a page for each operation. */
export async function referencePages(scope: FastifyInstance, { publicUrl }: DoorDeps) {
  scope.addHook('onRequest', async (_, reply) => {
    reply.header('content-security-policy', dashboardPolicy)
  })
  scope.get('/reference', async (_, reply) => reply.redirect('/reference/', 301))

  const aboutOf = (path: string, request: FastifyRequest) => ({
    canonical: `${publicUrl}${path}`,
    request,
  })
  scope.get('/reference/', async (request, reply) => {
    const page = docsPage('/reference/', 'API reference', indexView(publicUrl), {
      about: aboutOf('/reference/', request),
    })
    return sendDocument(reply, HTML, page, DOCUMENT_SECONDS)
  })

  scope.get<{ Params: { id: string } }>('/reference/:id', async (request, reply) => {
    const { id } = request.params
    const operation = referenceOperations.get(id)
    if (!operation) throw refuse('not_found', 'There is no such operation.')
    const path = `/reference/${id}`
    const view = operationView(operation, publicUrl)
    const page = docsPage(path, operation.summary, view, { about: aboutOf(path, request) })
    return sendDocument(reply, HTML, page, DOCUMENT_SECONDS)
  })
}

const methodBadge = (method: string) =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`

const indexView = (publicUrl: string) => html`
<h1>API reference</h1>
<p>Every operation has the same input, output and errors at REST, A2A and, where a model needs it,
MCP. REST is below <code>${publicUrl}/api</code>; send <code>Authorization: Bearer $KEY</code>. The
document behind these pages is <a href="/openapi.json">OpenAPI 3.1</a>, for client generators.
</p>
${referenceGroups.map(
  ({ title, operations }) =>
    html`<h2>${title}</h2><ul class="operations">${operations.map(
      ({ id, method, path, summary }) => html`
<li>${methodBadge(method)} <a href="/reference/${id}">${summary}</a>
<code class="path">${path}</code></li>`,
    )}</ul>`,
)}`

function operationView(operation: ReferenceOperation, publicUrl: string): Html {
  const { summary, description, method, path, a2a, tool } = operation
  return html`
<article class="operation">
<h1>${summary}</h1>
<p class="address">${methodBadge(method)} <code>${path}</code></p>
<p>${withCode(description)}</p>
<p class="quiet">A2A intent <code>${a2a}</code>${tool && html` · MCP tool <code>${tool}</code>`}
 · ${accessOf(operation)}</p>
<h2>Example</h2>
${codeTabs(samplesOf(operation, publicUrl))}
${parametersView(operation)}${bodyView(operation)}
<h2>Answers</h2>${answerView(operation, publicUrl)}${successesView(operation)}
<h2>Errors</h2>${errorsView(operation)}
</article>`
}

const samplesOf = (operation: ReferenceOperation, publicUrl: string) =>
  exampleCalls(operation, publicUrl).map(({ label, code, language }) => ({
    label,
    code: { markup: highlight(code, language) },
  }))

function accessOf({ security }: ReferenceOperation): string {
  const [first, second] = security.map(({ apiKey }) => apiKey)
  if (!first) return second ? 'no key needed' : ''
  return first.length > 0 ? `needs a key with the scope ${first.join(', ')}` : 'needs a key'
}

function parametersView({ parameters }: ReferenceOperation): Html {
  const kinds = { path: 'Path', query: 'Query', header: 'Headers' } as const
  return html`${Object.entries(kinds).map(([place, title]) => {
    const here = parameters.filter((one) => one.in === place)
    return (
      here.length > 0 &&
      html`<h2>${title}</h2><dl class="fields">${here.map((one) => {
        const { name, description, schema } = one
        const isRequired = 'required' in one && one.required
        return fieldView(
          name,
          { ...schema, ...(description && { description }) } as Schema,
          isRequired,
        )
      })}</dl>`
    )
  })}`
}

const bodyView = ({ requestBody }: ReferenceOperation) =>
  requestBody && html`<h2>Body</h2>${fieldsView(requestBody.content['application/json'].schema)}`

const answerView = ({ answer }: ReferenceOperation, publicUrl: string) =>
  answer !== undefined &&
  html`<h3>Example</h3>${codeBlock(
    { markup: highlight(jsonText(answer).replaceAll('$URL', publicUrl), 'json') },
    'Example of an answer',
  )}`

function successesView({ capability }: ReferenceOperation): Html {
  const { operation, rest } = capability
  const { statuses = { 200: 'OK' }, file } = rest
  const fields = file
    ? html`<p><code>${file.type}</code></p>`
    : fieldsView(jsonSchemaOf(answerSchemaOf(operation), 'output'))
  return html`${Object.entries(statuses).map(
    ([status, description], nth) =>
      html`<h3>${status} <span class="quiet">${withCode(description)}</span></h3>${
        nth === 0 ? fields : html`<p class="quiet">The same fields.</p>`
      }`,
  )}`
}

function errorsView({ 'x-refusals': codes }: ReferenceOperation): Html {
  const rows = codes
    .map((code) => ({ code, ...errorCatalogue[code] }))
    .toSorted((one, other) => one.status - other.status)
  return html`<div class="scroll" role="region" aria-label="Errors" tabindex="0"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr>
</thead><tbody>${rows.map(
    ({ status, code, title }) => html`<tr><td>${status}</td>
<td><a href="/errors#${code}"><code>${code}</code></a></td>
<td>${title}</td></tr>`,
  )}</tbody></table></div>`
}
