import type { Browser } from './developers.ts'

/** Posts a form that asks before it acts; returns the question and the fields for answering it. */
export async function askedBy(browser: Browser, path: string, fields: Record<string, string> = {}) {
  const question = await browser.post(path, { form: 'x', ...fields })
  const [form = ''] = question.html.match(/<form class="row" method="post"[\s\S]*?<\/form>/) ?? []
  const hidden = form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)
  const answer = Object.fromEntries([...hidden].map(([, key, value]) => [key, value]))
  const { action = '' } = /action="(?<action>[^"]*)"/.exec(form)?.groups ?? {}
  return { question, action, answer: answer as Record<string, string> }
}

/** Posts a form that asks for confirmation, and answers yes. */
export async function sayYes(browser: Browser, path: string, fields: Record<string, string>) {
  const { answer, action } = await askedBy(browser, path, fields)
  if (answer.sure !== 'yes') throw new Error(`${path} asks nothing`)
  return browser.post(action, answer)
}
