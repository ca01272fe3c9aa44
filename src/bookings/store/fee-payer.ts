import sql, { type Sql } from 'sql-template-tag'
import { CARD_PAYER, DEMO_PAYER, FEE_PAYER, TEST_PAYER, WALLET_PAYER } from '../../base/money.ts'

/** Who pays a booking's fee, for every answer and event, from its venue and its request. */
export const feePayer = (isDemo: Sql, paidBy: Sql) => sql`case
  when ${paidBy} = 'x402' then case when ${isDemo} then ${TEST_PAYER} else ${WALLET_PAYER} end
  when ${isDemo} then ${DEMO_PAYER} when ${paidBy} = 'card' then ${CARD_PAYER}
  else ${FEE_PAYER} end`
