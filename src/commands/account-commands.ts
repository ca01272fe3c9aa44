import { UsageError } from '../../packages/command-line/usage-error.ts'
import { afterClosing, closeAccount } from '../accounts/steps/close-account.ts'
import { selectOptionalDeveloper, updateVerifiedByEmail } from '../accounts/store/developers.ts'
import { selectMemberships } from '../accounts/store/members.ts'
import { byCommand, recordAudit } from '../contract/audit.ts'
import { transaction } from '../platform/database/sql.ts'
import { cancelEntriesOf } from '../waitlist/store/entries.ts'
import { idFrom } from './ids.ts'
import { defineOperatorCommand } from './operator-program.ts'

const exampleId = '0197a1f0-0000-7000-8000-000000000000'

export const verify = defineOperatorCommand({
  words: 'verify',
  summary: 'Vouch for the email address of a developer who got no mail.',
  details: 'Where mails arrive, the link in the mail does this.',
  args: { email: { about: 'The address that the developer signs in with' } },
  options: {},
  examples: ['verify ayu@example.com'],
  async run({ args: { email }, onDatabase, at }) {
    const isKnown = await onDatabase((db) =>
      transaction(db, async (tx) => {
        const developer = await selectOptionalDeveloper(tx, email)
        if (!developer) return false
        await updateVerifiedByEmail(tx, email, at)
        for (const { account_id } of await selectMemberships(tx, developer.id)) {
          const change = { name: developer.email }
          await recordAudit(tx, byCommand(account_id, at), 'email.verified', change)
        }
        return true
      }),
    )
    if (!isKnown) {
      throw new Error(`No developer has signed up with ${email}.`)
    }
    return `${email} is verified.`
  },
})

export const deleteAccount = defineOperatorCommand({
  words: 'delete-account',
  summary: 'Delete an account: revoke its keys, end its endpoints, erase who it belongs to.',
  details:
    'Bookings go on, and fees and invoices stay under the id. This cannot be undone; an account ' +
    'that is deleted already stays as it is.',
  args: { account: { about: 'Id of the account, as `list` shows it' } },
  options: {
    yes: { kind: 'flag', about: 'Needed, because nothing brings the account back' },
  },
  examples: [`delete-account ${exampleId} --yes`],
  async run({ args, options, onDatabase, at }) {
    const accountId = idFrom(args.account, 'delete-account')
    if (!options.yes) throw new UsageError('delete-account needs --yes: it cannot be undone.')
    const discarded = await onDatabase(async (db, { PRO_MONTHLY_USD }) => {
      const by = byCommand(accountId, at)
      const terms = { by, proMonthlyMinor: PRO_MONTHLY_USD * 100 }
      const closing = { accountId, ...terms, endElsewhere: cancelEntriesOf, at }
      if (!(await transaction(db, (tx) => closeAccount(tx, closing)))) {
        throw new Error(`There is no account ${accountId}.`)
      }
      return afterClosing(db, closing)
    })
    return `The account ${accountId} is deleted. Deliveries discarded: ${discarded}.`
  },
})
