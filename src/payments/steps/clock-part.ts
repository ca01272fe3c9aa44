import sql from 'sql-template-tag'
import type { ClockPart } from '../../contract/clock-part.ts'
import { type CollectionVariables, paymentsOf } from '../rules/collection.ts'
import { ASK_AFTER_MS } from '../rules/payments.ts'
import { collectInSandbox } from './collect.ts'
import { type PaymentDeps, sandboxPayments } from './deps.ts'

const askAfter = sql`${ASK_AFTER_MS} * interval '1 ms'`

/** A sandbox's charges, their outcomes and dunning, on the sandbox's test clock. */
export const paymentsOnClock = (
  config: CollectionVariables,
  publicUrl: string,
): ClockPart<unknown> | undefined =>
  paymentsOf(config) === 'none'
    ? undefined
    : {
        due: (accountId) => sql`least(
    (select min(coalesce(d.next_at, i.issued_at))
     from invoice i left join dunning d on d.due_id = i.id
     where i.account_id = ${accountId} and i.status = 'open' and i.kind = 'invoice'
       and (d.due_id is null or d.next_at is not null) and not exists (select from payment p
         where p.due_id = i.id and p.state in ('processing', 'unknown'))),
    (select min(p.updated_at) + ${askAfter} from payment p
     where p.account_id = ${accountId} and p.state in ('processing', 'unknown')),
    (select min(r.updated_at) + ${askAfter} from payment p join refund r on r.payment_id = p.id
     where p.account_id = ${accountId} and r.state in ('processing', 'unknown')))`,
        async tell({ db, log }, accountId, { until }) {
          const payments: PaymentDeps = sandboxPayments({ db, publicUrl, log })
          if (until) await collectInSandbox(payments, until, accountId)
        },
      }
