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
  /** the page to go back to, and what is kept by that */
  back: readonly [href: string, text: string]
}

/**
 * Answers a form whose act nothing brings back with a question, which sends the same fields again;
 * false once that was answered: go on. (No reply, as a promise of one waits until it is sent, and
 * is undefined then.) `subject` reads what the question is about, and throws if the
 * reader has no such thing.
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
