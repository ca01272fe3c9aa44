import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { notify, notifyDeleted } from '../accounts/operations/account-mails.ts'
import { afterClosing, closeAccount } from '../accounts/steps/close-account.ts'
import { insertAccount, selectOptionalAccount } from '../accounts/store/accounts.ts'
import { deleteSessions } from '../accounts/store/developer-sessions.ts'
import {
  insertDeveloper,
  selectOptionalDeveloper,
  updateVerifiedByEmail,
} from '../accounts/store/developers.ts'
import { selectMemberships } from '../accounts/store/members.ts'
import { deleteFactors, lockFactors } from '../accounts/store/second-factors.ts'
import { publicUrlOf } from '../config/config.ts'
import { byCommand, recordAudit } from '../contract/audit.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import { type Db, transaction } from '../platform/database/sql.ts'
import { createSendMail } from '../platform/mail/send-mail.ts'
import { hashPassword } from '../platform/sealing/password-secret.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { findOrCreateSandbox } from '../sandbox/store/sandboxes.ts'
import { exampleId, idFrom } from './ids.ts'
import { defineOperatorCommand } from './operator-program.ts'

export const verify = defineOperatorCommand({
  words: 'verify',
  summary: 'Vouch for the email address of a developer whom emails do not reach.',
  details: 'If emails arrive, the link in the email does this.',
  args: { email: { about: 'The address that the developer signs in with' } },
  examples: ['verify ayu@example.com'],
  run: ({ args: { email }, inTransaction, at }) =>
    inTransaction(async (tx) => {
      const developer = await developerWith(tx, email)
      await updateVerifiedByEmail(tx, email, at)
      for (const { account_id } of await selectMemberships(tx, developer.id)) {
        const change = { name: developer.email }
        await recordAudit(tx, byCommand(account_id, at), 'email.verified', change)
      }
      return `${email} is verified.`
    }),
})

async function developerWith(db: Db, email: string) {
  const developer = await selectOptionalDeveloper(db, email)
  if (developer) return developer
  throw new Error(`No developer has signed up with ${email}.`)
}

export const removeFactors = defineOperatorCommand({
  words: 'remove-factors',
  summary: 'Let a developer who has lost passkeys, app and codes sign in with the password again.',
  details:
    'Removes their second factors and recovery codes, ends their sessions and emails them. First ' +
    'make sure that it is them, by more than an email: whoever reads their emails can reset the ' +
    'password.',
  args: { email: { about: 'The address that the developer signs in with' } },
  examples: ['remove-factors ayu@example.com'],
  async run({ args: { email }, onDatabase, at }) {
    await onDatabase(async (db, config) => {
      const developer = await developerWith(db, email)
      await transaction(db, async (tx) => {
        await lockFactors(tx, developer.id)
        const removed = await deleteFactors(tx, developer.id)
        await deleteSessions(tx, developer.id)
        const changes = (await selectMemberships(tx, developer.id)).flatMap(({ account_id }) =>
          removed.map((factor) => [byCommand(account_id, at), factor] as const),
        )
        for (const [by, factor] of changes) await recordAudit(tx, by, 'factor.removed', factor)
      })
      const sendMail = createSendMail(config, db, createLog('warn', process.stderr))
      const services = { db, sendMail, settings: { publicUrl: publicUrlOf(config) } }
      const what = 'The operator of the network removed your passkeys, app and recovery codes.'
      const visit = { at, device: 'a command', address: 'the server' }
      await notify(services, 'factors', developer.email, visit, { what })
    })
    return `${email} signs in with the password alone, and was sent an email.`
  },
})

/** 24 characters. */
const PASSWORD_BYTES = 18

export const reviewer = defineOperatorCommand({
  words: 'reviewer',
  summary: 'Open an account with a sandbox for the reviewer of a directory.',
  details:
    'The address counts as verified, and signing in needs only the password, which is alone on ' +
    'the last line and shown once. On the free tier, bookings are possible in the sandbox only.',
  args: { email: { about: 'The address that the reviewer signs in with' } },
  examples: ['reviewer review@example.com'],
  async run({ args: { email }, inTransaction, at }) {
    if (!z.email().safeParse(email).success)
      throw new UsageError('reviewer takes an email address.')
    const password = randomBytes(PASSWORD_BYTES).toString('base64url')
    const passwordHash = await hashPassword(password)
    const [id, accountId] = [randomUUIDv7(), randomUUIDv7()]
    await inTransaction(async (tx) => {
      await insertAccount(tx, { id: accountId, name: 'Reviewer', tier: 'free', at })
      if (!(await insertDeveloper(tx, { id, accountId, email, passwordHash, at }))) {
        throw new Error(`${email} has an account already: take another address.`)
      }
      await updateVerifiedByEmail(tx, email, at)
      await recordAudit(tx, byCommand(accountId, at), 'account.created', { name: 'Reviewer' })
      await findOrCreateSandbox(tx, accountId, at)
    })
    return `${email} owns the account ${accountId} with a sandbox. The password:\n${password}`
  },
})

export const deleteAccount = defineOperatorCommand({
  words: 'delete-account',
  summary: 'Delete an account: revoke its keys, end its endpoints, erase its members.',
  details:
    'Bookings continue, and fees and invoices keep the id of the account. This cannot be undone; ' +
    'deleting an account twice changes nothing.',
  args: { account: { about: 'Id of the account, as `list` shows it' } },
  options: {
    yes: { kind: 'flag', about: 'Required, because a deleted account cannot be restored' },
  },
  examples: [`delete-account ${exampleId} --yes`],
  async run({ args, options, onDatabase, at }) {
    const accountId = idFrom(args.account, 'delete-account')
    if (!options.yes) throw new UsageError('delete-account needs --yes: it cannot be undone.')
    // Loading all rooms takes a second, which the other commands avoid.
    const { endElsewhere } = await import('../network.ts')
    await onDatabase(async (db, config) => {
      const account = await selectOptionalAccount(db, accountId)
      const terms = { by: byCommand(accountId, at), proMonthlyMinor: config.PRO_MONTHLY_USD * 100 }
      const closing = { accountId, ...terms, endElsewhere, at }
      const closure = await transaction(db, (tx) => closeAccount(tx, closing))
      if (!closure) throw new Error(`There is no account ${accountId}.`)
      await afterClosing(db, closing)
      if (!account) return
      const sendMail = createSendMail(config, db, createLog('warn', process.stderr))
      const mail = { account, by: 'The operator of the network', closed: closure }
      await notifyDeleted({ sendMail, settings: { publicUrl: publicUrlOf(config) } }, mail)
    })
    return `The account ${accountId} is deleted, and its owners were sent an email.`
  },
})
