import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createCookie } from '../../doors/guards/session.ts'
import { linkButton } from '../page/components.ts'
import { textFields } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'

const consentPath = /^\/oauth\/consent\/[\w-]{20,64}$/
const returnTo = z.object({ path: z.string().regex(consentPath), title: z.string().max(200) })

/** The page on which a person answers an assistant, and what the assistant wants, as a title. */
export type Return = z.infer<typeof returnTo>

const form = { name: 'venue_consent', pattern: /^[\w-]{1,600}$/, maxAgeSeconds: 3_600 }

/** The way back to an assistant, from the page on which a person lets it book. */
export const backNotice = (to: string | undefined, name: string, canBook: boolean): Html =>
  html`<div class="notice">${
    canBook
      ? 'Your assistant can book now.'
      : 'Save a card, or take pro: one of them lets your assistant book.'
  } ${to ? linkButton(to, `Back to ${name}`, !canBook) : `Then go back to ${name}.`}</div>`

/**
 * Brings a person back to the request of an assistant, once they have signed in, signed up, opened
 * a link in an email or paid on a page of the payment provider. The cookie exists only in the
 * browser in which the request began, which alone can answer it.
 */
export function createReturns(publicUrl: string) {
  const cookie = createCookie(publicUrl, form)
  const begin = (reply: FastifyReply, to: Return) =>
    cookie.write(reply, Buffer.from(JSON.stringify(to)).toString('base64url'))
  /** The browser's latest request: for the links of emails, which name none. */
  const latest = (request: FastifyRequest): Return | undefined => decode(cookie.read(request))
  /** The request that this field names. */
  const read = (request: FastifyRequest, field = 'next'): Return | undefined => {
    const source = request.method === 'GET' ? request.query : request.body
    const { [field]: path } = textFields(source, [field])
    if (path === undefined) return undefined
    const last = latest(request)
    if (path === last?.path) return last
    return consentPath.test(path) ? { path, title: 'An assistant wants access' } : undefined
  }
  return {
    begin,
    read,
    latest,
    end: cookie.clear,
    /** A link back for a person who came to the plan, by a link with `return`, to let it book. */
    link(request: FastifyRequest, reply: FastifyReply, canBook: boolean): Html | undefined {
      const to = read(request, 'return') ?? latest(request)
      if (!to) return undefined
      begin(reply, to)
      return backNotice(to.path, 'your assistant', canBook)
    },
  }
}

function decode(text = ''): Return | undefined {
  try {
    return returnTo.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    return undefined
  }
}

/** Says why the person is here: `how` is the next step, such as “Sign in”. */
export const returnNotice = (to: Return | undefined, how: string): Html =>
  html`${
    to &&
    html`<p class="notice"><strong>${to.title}.</strong> ${how} to answer. Nothing is allowed until
then. <a href="${to.path}?answer=cancel">Say no</a></p>`
  }`
