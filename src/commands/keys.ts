import { randomUUIDv7 } from 'node:crypto'
import {
  insertAccount,
  insertKey,
  selectKeys,
  selectOptionalAccount,
  updateKeyRevoked,
} from '../accounts/store/accounts.ts'
import { updateOperator } from '../accounts/store/developers.ts'
import { hashKey, newRawKey } from '../accounts/store/key-secret.ts'
import { movePlan } from '../accounts/store/plans.ts'
import { type Config, readConfig } from '../config.ts'
import { defaultScopes, type Scope } from '../contract/rules/scopes.ts'
import { withDatabase } from '../local/with-database.ts'
import { openSealer } from '../open-sealer.ts'
import { migrate } from '../platform/database/migrate.ts'
import { type Db, openPool, type Pool, transaction } from '../platform/database/sql.ts'
import { requireSharedKey } from './connect-venue.ts'
import { type KeyCommand, parseKeyCommand } from './key-command.ts'
import { keyTable } from './key-table.ts'
import { rewrap } from './rewrap.ts'
import { runCommand } from './run-command.ts'

const usage = `API keys and the accounts behind them.

  npm run keys -- create --tier free|pro --name NAME    opens an account with a key
  npm run keys -- create --account ACCOUNT --name NAME  adds a key to an account
                  --scopes keys,webhooks,agents,usage   what the key may do besides searching and booking:
                                                        ${defaultScopes.join(',')} unless you say; '' for none
  npm run keys -- list                                  every key, without its secret
  npm run keys -- revoke KEY                            from now on the key is refused
  npm run keys -- tier ACCOUNT free|pro                 moves an account to a tier, and invoices pro
  npm run keys -- operator EMAIL [--revoke]             lets a developer see the operators' page, or no longer
  npm run keys -- rewrap                                seals every stored secret with the first key of SECRETS_KEY

create prints the raw key alone on the last line, this once: only its hash is stored.
It works on DATABASE_URL, or on the embedded database of DATA_DIR, running or not.`

await runCommand(usage, async (args) => {
  const command = parseKeyCommand(args)
  const config = readConfig()
  return withDatabase(config, async ({ url, isOurs }) => {
    if (isOurs) await migrate(url)
    const db = openPool(url, 1, () => {})
    try {
      return await obey(db, config, command, new Date())
    } finally {
      await db.end()
    }
  })
})

/** Does what the command says and answers what to print. */
async function obey(db: Pool, config: Config, command: KeyCommand, at: Date): Promise<string> {
  switch (command.verb) {
    case 'create':
      return transaction(db, async (tx) => {
        const accountId = randomUUIDv7()
        await insertAccount(tx, { id: accountId, name: command.name, tier: command.tier, at })
        return addKey(tx, { ...command, accountId }, at)
      })
    case 'add':
      return addKey(db, command, at)
    case 'list':
      return keyTable(await selectKeys(db))
    case 'revoke': {
      const known = await updateKeyRevoked(db, command.keyId, at)
      if (!known) throw new Error(`There is no key ${command.keyId}.`)
      return `The key ${command.keyId} is revoked.`
    }
    case 'tier': {
      const { accountId, tier } = command
      const proMonthlyMinor = config.PRO_MONTHLY_USD * 100
      const move = { accountId, to: tier, by: 'operator', proMonthlyMinor, at } as const
      if (!(await movePlan(db, move))) throw new Error(`There is no account ${accountId}.`)
      return `The account ${accountId} is on the ${tier} tier.`
    }
    case 'operator': {
      const { email, isOperator } = command
      const known = await updateOperator(db, email, isOperator)
      if (!known) {
        throw new Error(
          `Nobody signs in with ${email}, or nobody has verified that it is theirs, which the link in a mail does.`,
        )
      }
      return `${email} is ${isOperator ? 'an operator' : 'no operator'} from now on.`
    }
    case 'rewrap':
      requireSharedKey(config)
      return rewrap(db, await openSealer(config, db), (line) => console.error(line))
  }
}

async function addKey(
  db: Db,
  { accountId, name, scopes }: { accountId: string; name: string; scopes: readonly Scope[] },
  at: Date,
): Promise<string> {
  const account = await selectOptionalAccount(db, accountId)
  if (!account) throw new Error(`There is no account ${accountId}.`)
  const id = randomUUIDv7()
  const raw = newRawKey()
  const hidden = { hash: hashKey(raw), hint: raw.slice(-4) }
  await insertKey(db, { id, accountId, name, scopes, ...hidden, at })
  return `Key ${id} of the account ${accountId} (${account.name}, ${account.tier}):\n${raw}`
}
