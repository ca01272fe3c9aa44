import type { FastifyRequest } from 'fastify'
import { refuse } from '../../base/errors.ts'
import { textFields } from '../page/forms.ts'

const FIELD = 'shown_account'
const forms = /<form\b(?=[^>]*\bmethod="post")(?=[^>]*\baction="\/dashboard)[^>]*>/g
/** This page’s forms switch accounts, so they do not depend on the account shown. */
const SWITCH = '/dashboard/accounts'

/** Adds the account shown on the page to each of its forms. */
export const withAccount = ({ developer }: FastifyRequest, markup: string): string =>
  markup.replaceAll(
    forms,
    (form) => `${form}<input type="hidden" name="${FIELD}" value="${developer?.account_id ?? ''}">`,
  )

/**
 * Refuses a form if its page showed a different account from the one now open in the session, as
 * after a switch in another tab. Members of several accounts must name the account.
 */
export function requireShownAccount({ body, developer, routeOptions }: FastifyRequest): void {
  const { [FIELD]: accountId } = textFields(body, [FIELD])
  if (accountId !== undefined) delete (body as Record<string, unknown>)[FIELD]
  if (routeOptions.url === SWITCH || accountId === developer?.account_id) return
  if (accountId === undefined && developer?.accounts === 1) return
  throw refuse('other_account')
}
