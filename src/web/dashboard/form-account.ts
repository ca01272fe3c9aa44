import type { FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import { textFields } from '../page/forms.ts'

const FIELD = 'shown_account'
const forms = /<form\b(?=[^>]*\bmethod="post")(?=[^>]*\baction="\/dashboard)[^>]*>/g
/** Its forms open another account, whichever the page was of. */
const SWITCH = '/dashboard/accounts'

/** The page with the account that it shows in each of its forms. */
export const withAccount = ({ developer }: FastifyRequest, markup: string): string =>
  markup.replaceAll(
    forms,
    (form) => `${form}<input type="hidden" name="${FIELD}" value="${developer?.account_id ?? ''}">`,
  )

/**
 * Refuses a form of a page that showed another account than the session has open by now, as after a
 * switch in another tab, or, of a member of several accounts, one that names none.
 */
export function requireShownAccount({ body, developer, routeOptions }: FastifyRequest): void {
  const { [FIELD]: shown } = textFields(body, [FIELD])
  if (shown !== undefined) delete (body as Record<string, unknown>)[FIELD]
  if (routeOptions.url === SWITCH || shown === developer?.account_id) return
  if (shown === undefined && developer?.accounts === 1) return
  throw refuse('other_account')
}
