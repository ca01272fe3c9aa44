import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCookie } from '../../doors/guards/session.ts'
import { linkButton } from '../page/components.ts'
import { textFields } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'

/** Only our own sign-in for assistants: nobody can send a person elsewhere. */
const pattern = /^\/oauth\/[\w/-]{1,200}(?:\?[\w=&%.~-]{0,1000})?$/

const CAN_BOOK = 'Your assistant can book now.'
const CANNOT_BOOK = 'Save a card, or take pro: one of them lets your assistant book.'

/**
 * The way back for a person who came to the plan only to let an assistant book, through the pages
 * of the payment provider. A link to the plan carries it as `return`.
 */
export function createWayBack(publicUrl: string) {
  const cookie = createCookie(publicUrl, { name: 'venue_return', pattern, maxAgeSeconds: 900 })
  return (request: FastifyRequest, reply: FastifyReply, canBook: boolean): Html | false => {
    const { return: asked } = textFields(request.query, ['return'])
    const isOurs = asked !== undefined && pattern.test(asked)
    if (isOurs) cookie.write(reply, asked)
    const address = isOurs ? asked : cookie.read(request)
    return (
      address !== undefined &&
      html`<div class="notice">${canBook ? CAN_BOOK : CANNOT_BOOK}
${linkButton(address, 'Back to your assistant', !canBook)}</div>`
    )
  }
}
