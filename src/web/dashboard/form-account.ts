import type { FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import { textFields } from '../page/forms.ts'

const FIELD = 'shown_account'
const forms = /<form\b(?=[^>]*\bmethod="post")(?=[^>]*\baction="\/dashboard)[^>]*>/g
/** Its forms open another account, whichever account the page shows. */
const SWITCH = '/dashboard/accounts'

/** The page with its account in each of its forms. */
export const withAccount = ({ developer }: FastifyRequest, markup: string): string =>
  markup.replaceAll(
    forms,
    (form) => `${form}<input type="hidden" name="${FIELD}" value="${developer?.account_id ?? ''}">`,
  )

/**
 * Refuses a form of a page that showed another account than the session has open now, as after a
 * switch in another tab. Members of several accounts must name one.
 */
export function requireShownAccount({ body, developer, routeOptions }: FastifyRequest): void {
  const { [FIELD]: accountId } = textFields(body, [FIELD])
  if (accountId !== undefined) delete (body as Record<string, unknown>)[FIELD]
  if (routeOptions.url === SWITCH || accountId === developer?.account_id) return
  if (accountId === undefined && developer?.accounts === 1) return
  throw refuse('other_account')
}
