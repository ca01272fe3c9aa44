import { plainTable } from '../../packages/command-line/plain-table.ts'
import type { KeyRow } from '../accounts/store/accounts.ts'

const heads = [
  'KEY',
  'ENDS IN',
  'NAME',
  'ACCOUNT',
  'ACCOUNT NAME',
  'TIER',
  'SCOPES',
  'CREATED',
  'EXPIRES',
  'LAST USED',
  'REVOKED',
]

/** Keys as a table for a person; of a secret only its last four characters. */
export function keyTable(keys: KeyRow[]): string {
  if (keys.length === 0) return 'There are no keys yet.'
  return plainTable(heads, keys.map(cells))
}

const cells = (key: KeyRow) => [
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
]

const minute = (at: Date | null) => (at ? `${at.toISOString().slice(0, 16)}Z` : '')
