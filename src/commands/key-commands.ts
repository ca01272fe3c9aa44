import { randomUUIDv7 } from 'node:crypto'
import {
  insertAccount,
  insertKey,
  type KeyRow,
  selectKeys,
  selectOptionalAccount,
} from '../accounts/store/accounts.ts'
import { updateOperator } from '../accounts/store/developers.ts'
import { hashKey, newRawKey } from '../accounts/store/key-secret.ts'
import { lockKeysOf, revokeKeyTree } from '../accounts/store/keys.ts'
import { scopes as allScopes, defaultScopes, type Scope } from '../base/scopes.ts'
import { openSealer } from '../compose/open-sealer.ts'
import { byCommand, recordAudit } from '../contract/audit.ts'
import type { AccountMode } from '../contract/operation.ts'
import { changePlanOf } from '../operators/steps/change-plan.ts'
import { plainTable } from '../platform/command-line/plain-table.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import type { Db } from '../platform/database/sql.ts'
import { findOrCreateSandbox } from '../sandbox/store/sandboxes.ts'
import { deleteAccount, removeFactors, reviewer, verify } from './account-commands.ts'
import { takeDown } from './agent-commands.ts'
import { addClient, listClients, removeClient } from './client-commands.ts'
import { requireSharedKey } from './connect-venue.ts'
import { exampleId, idFrom } from './ids.ts'
import { defineOperatorCommand, operatorProgram } from './operator-program.ts'
import { fund, refunds } from './payment-commands.ts'
import { resume, suspend } from './suspend-commands.ts'

const tiers = ['free', 'pro'] as const

const create = defineOperatorCommand({
  words: 'create',
  summary: 'Open an account with a key, or add a key to an account.',
  details: 'The raw key is alone on the last line and shown once; only its hash is stored.',
  options: {
    name: { kind: 'text', value: 'NAME', about: 'Name of the key and account', required: true },
    tier: { kind: 'text', value: 'TIER', about: 'Tier of a new account', choices: tiers },
    account: { kind: 'text', value: 'ACCOUNT', about: 'Account that gets one more key' },
    test: { kind: 'flag', about: 'A test key, for the sandbox of the account' },
    scopes: {
      kind: 'list',
      value: 'SCOPE,…',
      about:
        'What the key may do besides reading ' +
        `(default ${defaultScopes.join(',')}); --scopes= for nothing`,
      choices: allScopes,
      mayBeEmpty: true,
    },
  },
  examples: [
    'create --tier pro --name demo',
    `create --account ${exampleId} --name second --scopes usage`,
    `create --account ${exampleId} --name try --test`,
  ],
  async run({ options: { name, tier, account, test, scopes: names }, inTransaction, at }) {
    if (name.length > 100) throw new UsageError('--name takes 1 to 100 characters.')
    const mode: AccountMode = test ? 'test' : 'live'
    const scopes = names ? allScopes.filter((scope) => names.includes(scope)) : defaultScopes
    if (account === undefined) {
      if (!tier) throw new UsageError('create needs --tier, or --account for one that exists.')
      return inTransaction(async (tx) => {
        const accountId = randomUUIDv7()
        await insertAccount(tx, { id: accountId, name, tier: tier as 'free' | 'pro', at })
        await recordAudit(tx, byCommand(accountId, at), 'account.created', { name })
        return addKey(tx, { accountId, mode, name, scopes }, at)
      })
    }
    if (tier) {
      throw new UsageError('With --account, leave --tier out: the tier is that of the account.')
    }
    const accountId = idFrom(account, '--account')
    return inTransaction((tx) => addKey(tx, { accountId, mode, name, scopes }, at))
  },
})

const list = defineOperatorCommand({
  words: 'list',
  summary: 'List every key, without its secret.',
  examples: ['list'],
  run: ({ onDatabase }) => onDatabase(async (db) => keyTable(await selectKeys(db))),
})

const revoke = defineOperatorCommand({
  words: 'revoke',
  summary: 'Revoke a key; its next request is refused.',
  args: { key: { about: 'Id of the key, as `list` shows it' } },
  examples: [`revoke ${exampleId}`],
  async run({ args, inTransaction, at }) {
    const keyId = idFrom(args.key, 'revoke')
    const isKnown = await inTransaction((tx) => revokeAnyKey(tx, keyId, at))
    if (!isKnown) throw new Error(`There is no key ${keyId}.`)
    return `The key ${keyId} is revoked.`
  },
})

const tier = defineOperatorCommand({
  words: 'tier',
  summary: 'Move an account to a tier; pro is invoiced.',
  args: {
    account: { about: 'Id of the account, as `list` shows it' },
    tier: { about: 'The tier', choices: tiers },
  },
  examples: [`tier ${exampleId} pro`],
  async run({ args, inTransaction, at }) {
    const accountId = idFrom(args.account, 'tier')
    const to = args.tier as 'free' | 'pro'
    const by = byCommand(accountId, at)
    const isKnown = await inTransaction((tx, { PRO_MONTHLY_USD }) =>
      changePlanOf(tx, { by }, { to, proMonthlyMinor: PRO_MONTHLY_USD * 100 }),
    )
    if (!isKnown) throw new Error(`There is no account ${accountId}.`)
    return `The account ${accountId} is on the ${to} tier.`
  },
})

const operator = defineOperatorCommand({
  words: 'operator',
  summary: "Give a developer access to the operators' pages.",
  args: { email: { about: 'The address that the developer signs in with' } },
  options: { revoke: { kind: 'flag', about: 'Withdraw this access' } },
  examples: ['operator ayu@example.com', 'operator ayu@example.com --revoke'],
  async run({ args: { email }, options, onDatabase }) {
    const isOperator = !options.revoke
    if (!(await onDatabase((db) => updateOperator(db, email, isOperator)))) {
      throw new Error(
        `No developer has signed up with ${email} and verified it with the link in the mail.`,
      )
    }
    return `${email} is ${isOperator ? 'now' : 'no longer'} an operator.`
  },
})

const rewrapSecrets = defineOperatorCommand({
  words: 'rewrap',
  summary: 'Re-encrypt every stored secret with the first key of SECRETS_KEY.',
  examples: ['rewrap'],
  run: ({ onDatabase }) =>
    onDatabase(async (db, config) => {
      requireSharedKey(config)
      const { rewrap } = await import('./rewrap.ts')
      return rewrap(db, await openSealer(config, db), (line) => console.error(line))
    }),
})

/** `npm run keys`. */
export const keyProgram = operatorProgram({
  name: 'npm run keys --',
  about: 'API keys, the accounts behind them, and OAuth clients.',
  commands: [
    create,
    list,
    revoke,
    tier,
    suspend,
    resume,
    verify,
    reviewer,
    operator,
    removeFactors,
    deleteAccount,
    takeDown,
    addClient,
    listClients,
    removeClient,
    fund,
    refunds,
    rewrapSecrets,
  ],
})

async function revokeAnyKey(tx: Db, id: string, at: Date): Promise<boolean> {
  const before = (await selectKeys(tx)).find((key) => key.id === id)
  if (!before || before.revoked_at) return before !== undefined
  await lockKeysOf(tx, before.account_id)
  await revokeKeyTree(tx, id, at)
  const by = byCommand(before.account_id, at)
  await recordAudit(tx, by, 'key.revoked', { id, name: before.name })
  return true
}

type NewKeyOf = {
  accountId: string
  mode: AccountMode
  name: string
  scopes: readonly Scope[]
}

async function addKey(db: Db, { accountId, mode, name, scopes }: NewKeyOf, at: Date) {
  const account = await selectOptionalAccount(db, accountId)
  if (!account) throw new Error(`There is no account ${accountId}.`)
  const id = randomUUIDv7()
  const raw = newRawKey(mode)
  const ownerId = mode === 'test' ? await findOrCreateSandbox(db, accountId, at) : accountId
  const hidden = { hash: hashKey(raw), hint: raw.slice(-4) }
  await insertKey(db, { id, accountId: ownerId, name, scopes, ...hidden, at })
  const change = { id, name, details: { mode, scopes } }
  await recordAudit(db, byCommand(accountId, at), 'key.created', change)
  const whose = `account ${accountId} (${account.name}, ${account.tier})`
  return `Key ${id} of the ${mode === 'test' ? 'sandbox of the ' : ''}${whose}:\n${raw}`
}

const heads = 'KEY|ENDS IN|NAME|ACCOUNT|ACCOUNT NAME|TIER|SCOPES|CREATED|EXPIRES|LAST USED|REVOKED'

/** Shows only the last four characters of each secret. */
function keyTable(keys: KeyRow[]): string {
  if (keys.length === 0) return 'There are no keys yet.'
  const rows = keys.map((key) => [
    key.id,
    `…${key.hint}`,
    key.name,
    key.account_id,
    key.account_name,
    key.tier,
    key.scopes.join(','),
    minute(key.created_at),
    minute(key.expires_at),
    key.last_used_at ? `${minute(key.last_used_at)} ${key.last_used_door}` : '',
    minute(key.revoked_at),
  ])
  return plainTable(heads.split('|'), rows)
}

const minute = (at: Date | null) => (at ? `${at.toISOString().slice(0, 16)}Z` : '')
