import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ErrorCode } from '../../base/error-catalogue.ts'
import { Refusal } from '../../base/errors.ts'
import { withoutQueries } from '../../base/hide-queries.ts'
import { may } from '../../base/roles.ts'
import { parseInput } from '../../doors/calls/parse-input.ts'
import type { DoorDeps, RunOperation } from '../../doors/calls/run-operation.ts'
import { routedPath } from '../../doors/http/sent-url.ts'
import type { NetworkOperation } from '../../network.ts'
import * as ui from '../page/components.ts'
import { textFields } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { sendPage } from '../page/page.ts'
import { type DashboardView, dashboardPage } from './layout.ts'

/** Runs an operation for the signed-in account. Returns its output or throws its refusal. */
type CallOperation = <O extends NetworkOperation>(
  request: FastifyRequest,
  operation: O,
  input: Record<string, unknown>,
) => Promise<z.output<O['output']>>

export type PageDeps = DoorDeps & { call: CallOperation }

/** The routes of a page and of its forms. */
export type Page = (scope: FastifyInstance, deps: PageDeps) => Promise<void>

/**
 * Treats undefined input fields as absent. The id of a submitted form (`formId`) becomes the
 * idempotency key if the operation accepts one.
 */
export const createCall =
  (run: RunOperation): CallOperation =>
  async <O extends NetworkOperation>(request: FastifyRequest, operation: O, input: object) => {
    const { form } = textFields(request.body, ['form'])
    const key = 'idempotency_key' in operation.input.shape ? form : undefined
    const fields = Object.entries({ ...input, idempotency_key: key })
    const values = Object.fromEntries(fields.filter(([, value]) => value !== undefined))
    const read = () => ({ input: parseInput(operation.input, values) })
    const { result } = await run({ door: 'dashboard', request, operation, read })
    if ('refusal' in result) throw new Refusal(result.refusal)
    const { developer } = request
    const isHidden = developer !== null && !may(developer.role, 'change', 'webhooks')
    return (isHidden ? withoutQueries(result.output) : result.output) as z.output<O['output']>
  }

/** The output of an operation; undefined if it was refused with this code. */
export const unlessRefused = <T>(work: Promise<T>, code: ErrorCode): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof Refusal && error.data.code === code) return undefined
    throw error
  })

/** Answers with a dashboard page. */
export const showPage = (
  reply: FastifyReply,
  title: string,
  body: Html,
  extras: Omit<DashboardView, 'title' | 'body'> = {},
): FastifyReply => sendPage(reply, dashboardPage(reply.request, { title, body, ...extras }))

/** Answers a form by redirecting to a page that shows the notice for `done`. */
export const redirectDone = (reply: FastifyReply, path: string, done: string): FastifyReply =>
  reply.redirect(`${path}?done=${done}`, 303)

type Question = {
  title: string
  text: Html | string
  button: string
  /** the page to return to, and the label of the link to it */
  back: readonly [href: string, text: string]
}

/**
 * Answers a form for an irreversible action with a confirmation page that submits the same fields
 * again; false once the reader has confirmed. (It returns no reply, because awaiting a reply waits
 * until it is sent and yields undefined.) `subject` loads what the question is about, and throws if
 * the reader has no such item.
 */
export async function askFirst(
  reply: FastifyReply,
  question: Question,
  subject: () => Promise<unknown>,
): Promise<boolean> {
  const { request } = reply
  if (textFields(request.body, ['sure']).sure === 'yes') return false
  await subject()
  const { title, text, button, back } = question
  const fields = Object.entries((request.body ?? {}) as Record<string, string | string[]>)
    .filter(([name]) => name !== 'form')
    .flatMap(([name, values]) => [values].flat().map((value) => ui.hidden(name, value)))
  const more = html`${fields}${ui.hidden('sure', 'yes')}`
  const form = ui.confirmForm(routedPath(request), button, back, { more })
  showPage(reply, title, html`<p>${text}</p>${form}`)
  return true
}
