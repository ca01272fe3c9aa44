import { selectOptionalAccount } from '../accounts/store/accounts.ts'
import { byCommand } from '../contract/audit.ts'
import { resumeAccount, suspendAccount } from '../operators/steps/suspend-account.ts'
import type { Db } from '../platform/database/sql.ts'
import { selectOptionalPayer } from '../x402/store/payers.ts'
import { exampleId, idFrom } from './ids.ts'
import { defineOperatorCommand, type OperatorContext } from './operator-program.ts'

const account = { about: 'Id of the account, as `list` shows it, or address of its wallet' }

export const suspend = defineOperatorCommand({
  words: 'suspend',
  summary: 'Suspend an account: its keys are refused, its dashboard is read-only.',
  details: 'Its bookings continue and its events are delivered. Its members see the reason.',
  args: { account },
  options: {
    reason: { kind: 'text', value: 'TEXT', about: 'Why, for its members', required: true },
  },
  examples: [`suspend ${exampleId} --reason "unpaid invoices"`],
  async run({ args: { account }, options: { reason }, ...context }) {
    const isDone = await act(account, context, (tx, by) => suspendAccount(tx, { by, reason }))
    return `The account ${account} is ${isDone ? 'suspended' : 'suspended already'}.`
  },
})

export const resume = defineOperatorCommand({
  words: 'resume',
  summary: 'End the suspension of an account.',
  args: { account },
  options: { reason: { kind: 'text', value: 'TEXT', about: 'Why, for the audit log' } },
  examples: [`resume ${exampleId} --reason "paid"`],
  async run({ args: { account }, options: { reason }, ...context }) {
    const isDone = await act(account, context, (tx, by) => resumeAccount(tx, { by, reason }))
    return `The account ${account} is ${isDone ? 'active again' : 'not suspended'}.`
  },
})

/** Suspends or resumes the account with this id or of the wallet with this address. */
const act = (
  text: string,
  { inTransaction, at }: OperatorContext,
  work: (tx: Db, by: ReturnType<typeof byCommand>) => Promise<boolean>,
) =>
  inTransaction(async (tx, { X402_NETWORK: network }) => {
    const account = text.startsWith('0x')
      ? await selectOptionalPayer(tx, { network, address: text.toLowerCase() })
      : await selectOptionalAccount(tx, idFrom(text, 'ACCOUNT'))
    if (!account) throw new Error(`There is no account ${text}.`)
    return work(tx, byCommand(account.id, at))
  })
