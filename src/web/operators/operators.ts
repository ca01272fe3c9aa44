import { refuse } from '../../base/errors.ts'
import type { Page } from '../dashboard/page.ts'
import { accountForms } from './account-forms.ts'
import { accounts } from './accounts.ts'
import { bookings } from './bookings.ts'
import { endpoints } from './endpoints.ts'
import { failing } from './failing.ts'
import { ledger } from './ledger.ts'
import { overview } from './overview.ts'
import { payments } from './payments.ts'
import { search } from './search.ts'
import { things } from './things.ts'
import { venues } from './venues.ts'

const pages = [
  overview,
  search,
  accounts,
  accountForms,
  ledger,
  bookings,
  endpoints,
  failing,
  payments,
  things,
  venues,
]

/**
 * The operators' pages, which cover all accounts. Anyone else gets `page_not_found`; an operator
 * without a second factor is led to the page that adds one.
 */
export const operators: Page = async (scope, deps) => {
  scope.addHook('onRequest', async ({ developer }, reply) => {
    if (developer && !developer.is_operator) throw refuse('page_not_found')
    if (!developer?.has_factor) return reply.redirect('/dashboard/security?done=operator', 303)
  })
  for (const page of pages) await scope.register(page, deps)
}
