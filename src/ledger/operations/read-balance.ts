import { z } from 'zod'
import { withTexts } from '../../contract/local-times.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import type { LedgerAccount } from '../rules/ledger.ts'
import { balance } from '../schema/balance.ts'
import { balancesOf } from '../store/balances.ts'

export const readBalance = defineOperation({
  name: 'balance',
  summary: 'What you owe, and your credit',
  description:
    'Returns for each currency what has accrued but has not been invoiced, what is left to pay ' +
    'on open invoices, and your credit.',
  scope: 'usage',
  input: z.strictObject({}),
  output: z.object({ balances: z.array(balance) }),
  async run(ctx) {
    const rows = await balancesOf(ctx.db, accountOf(ctx).id)
    const currencies = [...new Set(rows.map((one) => one.currency))]
    return {
      balances: currencies.map((currency) => {
        const of = (account: LedgerAccount) =>
          rows.find((one) => one.currency === currency && one.account === account)?.balance_minor ??
          0
        return withTexts({
          currency,
          unbilled_minor: of('unbilled'),
          due_minor: of('receivable'),
          credit_minor: 0 - of('credit'),
        })
      }),
    }
  },
})
