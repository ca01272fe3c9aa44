import { selectOptionalAccount } from '../accounts/store/accounts.ts'
import { byCommand } from '../contract/audit.ts'
import { resumeAccount, suspendAccount } from '../operators/steps/suspend-account.ts'
import { type Db, transaction } from '../platform/database/sql.ts'
import { idFrom } from './ids.ts'
import { defineOperatorCommand } from './operator-program.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'
const account = { about: 'Id of the account, as `list` shows it' }

export const suspend = defineOperatorCommand({
  words: 'suspend',
  summary: 'Suspend an account: its keys are refused, its dashboard is read-only.',
  details: 'Its bookings go on and its events are delivered. Its members see the reason.',
  args: { account },
  options: {
    reason: { kind: 'text', value: 'TEXT', about: 'Why, for its members', required: true },
  },
  examples: [`suspend ${exampleId} --reason "unpaid invoices"`],
  async run({ args, options: { reason }, onDatabase, at }) {
    const accountId = idFrom(args.account, 'suspend')
    const act = { by: byCommand(accountId, at), reason }
    const isDone = await onDatabase((db) =>
      transaction(db, async (tx) => {
        await known(tx, accountId)
        return suspendAccount(tx, act)
      }),
    )
    return `The account ${accountId} is ${isDone ? 'suspended' : 'suspended already'}.`
  },
})

export const resume = defineOperatorCommand({
  words: 'resume',
  summary: 'End the suspension of an account.',
  args: { account },
  options: { reason: { kind: 'text', value: 'TEXT', about: 'Why, for the audit log' } },
  examples: [`resume ${exampleId} --reason "paid"`],
  async run({ args, options: { reason }, onDatabase, at }) {
    const accountId = idFrom(args.account, 'resume')
    const act = { by: byCommand(accountId, at), reason }
    const isDone = await onDatabase((db) =>
      transaction(db, async (tx) => {
        await known(tx, accountId)
        return resumeAccount(tx, act)
      }),
    )
    return `The account ${accountId} is ${isDone ? 'active again' : 'not suspended'}.`
  },
})

async function known(db: Db, accountId: string): Promise<void> {
  if (!(await selectOptionalAccount(db, accountId))) {
    throw new Error(`There is no account ${accountId}.`)
  }
}
