import { NETWORK_VERSION } from '../../../src/base/ids.ts'
import { printable } from '../screen/printable.ts'
import { type Problem, Refused, Unreachable } from './failures.ts'

/** Seconds allowed beyond the wait requested from the network. */
const TIMEOUT_S = 30

/** One request. `wait`: seconds the network may take for a final answer. */
export type Ask = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | number | true | undefined>
  body?: Record<string, unknown>
  wait?: number
  idempotencyKey?: string
}

export type Answer<T> = { status: number; headers: Headers; body: T }

/** A REST client. Throws `Refused` and `Unreachable`. */
export type Network = { url: string; ask<T>(ask: Ask): Promise<Answer<T>> }

/** Texts of an answer: `printable` for people, `exact` for programs. */
export type Texts = 'printable' | 'exact'

/**
 * A client for a URL, with or without a key. Answers are untrusted: unless exact texts are wanted,
 * they are made `printable` here, before anything shows them.
 */
export const createNetwork = (
  url: string,
  key: string | undefined,
  texts: Texts = 'printable',
): Network => ({
  url,
  async ask<T>(ask: Ask) {
    const response = await send(url, key, ask)
    const body = await readBody(url, response, texts)
    if (response.ok) return { status: response.status, headers: response.headers, body: body as T }
    if (isProblem(body)) throw new Refused(body)
    throw new Unreachable(notANetwork(url, response))
  },
})

async function send(url: string, key: string | undefined, ask: Ask): Promise<Response> {
  const { method = 'GET', path, query = {}, body, wait, idempotencyKey } = ask
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(parameters as [string, string][])
  const target = `${url}${path}${search.size > 0 ? `?${search}` : ''}`
  try {
    return await fetch(target, {
      method,
      // The key is for this URL alone.
      redirect: 'manual',
      signal: AbortSignal.timeout(((wait ?? 0) + TIMEOUT_S) * 1000),
      headers: {
        accept: 'application/json',
        'user-agent': `venue-network-cli/${NETWORK_VERSION}`,
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(wait !== undefined && { prefer: `wait=${wait}` }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  } catch (error) {
    throw new Unreachable(`${url} does not answer (${reasonOf(error)}).`)
  }
}

async function readBody(url: string, response: Response, texts: Texts): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (!/^application\/([\w.-]+\+)?json\b/.test(type)) {
    await response.body?.cancel()
    throw new Unreachable(notANetwork(url, response))
  }
  try {
    const body = await response.text()
    return texts === 'exact' ? JSON.parse(body) : JSON.parse(body, withPrintable)
  } catch {
    throw new Unreachable(`The response from ${url} was cut off.`)
  }
}

function notANetwork(url: string, { status, headers }: Response): string {
  const to = headers.get('location')
  const redirect =
    to !== null && URL.canParse(to, url) ? ` and redirects to ${new URL(to, url)}` : ''
  return `${url} answers ${status}${redirect}, but not like a venue network. Is the URL correct?`
}

const withPrintable = (_: string, value: unknown) =>
  typeof value === 'string' ? printable(value) : value

function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false
  const { code, title, detail, request_id, status, errors, alternatives } = body as Partial<Problem>
  return (
    areTexts([code, title, detail, request_id]) &&
    typeof status === 'number' &&
    isList(errors, (one) => areTexts([one?.pointer, one?.detail])) &&
    isList(alternatives, (one) => areTexts([one?.venue?.slug, one?.slot_time]))
  )
}

const areTexts = (all: readonly unknown[]) => all.every((one) => typeof one === 'string')

const isList = <T>(list: T[] | undefined, isGood: (one: T | null) => boolean) =>
  list === undefined || (Array.isArray(list) && list.every(isGood))

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no connection'
  if (error.name === 'TimeoutError') return 'no answer in time'
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'no connection'
}
