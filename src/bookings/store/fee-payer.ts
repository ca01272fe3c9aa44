import sql, { type Sql } from 'sql-template-tag'
import * as payers from '../../base/money.ts'

/** Who pays a booking's fee, for every answer and event, from its venue and its request. */
export const feePayer = (isDemo: Sql, paidBy: Sql) => sql`case
  when ${paidBy} = 'x402'
  then case when ${isDemo} then ${payers.TEST_PAYER} else ${payers.WALLET_PAYER} end
  when ${isDemo} then ${payers.DEMO_PAYER} when ${paidBy} = 'card' then ${payers.CARD_PAYER}
  when ${paidBy} = 'test' then ${payers.SANDBOX_PAYER} else ${payers.FEE_PAYER} end`
