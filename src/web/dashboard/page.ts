import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ErrorCode } from '../../base/error-catalogue.ts'
import { Refusal } from '../../base/errors.ts'
import { withoutQueries } from '../../base/hide-queries.ts'
import { may } from '../../base/roles.ts'
import { parseInput } from '../../doors/calls/parse-input.ts'
import type { DoorDeps, RunOperation } from '../../doors/calls/run-operation.ts'
import type { NetworkOperation } from '../../network.ts'
import { textFields } from '../page/forms.ts'
import type { Html } from '../page/html.ts'
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
