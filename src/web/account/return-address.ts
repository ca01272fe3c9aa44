import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createCookie } from '../../doors/guards/session.ts'
import { textFields } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'

const consentPath = /^\/oauth\/consent\/[\w-]{20,64}$/
const returnTo = z.object({ path: z.string().regex(consentPath), title: z.string().max(200) })

/** The page on which a person answers an assistant, and what the assistant wants, as a title. */
export type Return = z.infer<typeof returnTo>

const MAX_AGE_SECONDS = 3_600

/**
 * Brings a person back to the request of an assistant, once they have signed in, signed up or
 * opened a link in an email. The cookie exists only in the browser in which the request began,
 * which alone can answer it.
 */
export function createReturns(publicUrl: string) {
  const form = { name: 'venue_consent', pattern: /^[\w-]{1,600}$/, maxAgeSeconds: MAX_AGE_SECONDS }
  const cookie = createCookie(publicUrl, form)
  return {
    begin: (reply: FastifyReply, to: Return) =>
      cookie.write(reply, Buffer.from(JSON.stringify(to)).toString('base64url')),
    end: cookie.clear,
    /** The request named by the field `next` or, without that field, the browser's latest. */
    read(request: FastifyRequest): Return | undefined {
      const { next } = textFields(request.method === 'GET' ? request.query : request.body, ['next'])
      const latest = decode(cookie.read(request))
      if (next === undefined || next === latest?.path) return latest
      return consentPath.test(next) ? { path: next, title: 'An assistant wants access' } : undefined
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
then.</p>`
  }`
