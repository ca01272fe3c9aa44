import type { FastifyReply } from 'fastify'
import { routedPath } from '../../doors/http/sent-url.ts'
import * as ui from '../page/components.ts'
import { textFields } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { showPage } from './page.ts'

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
