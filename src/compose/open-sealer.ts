import type { Config } from '../config/config.ts'
import { secretsKeys } from '../local/key-files.ts'
import type { Db } from '../platform/database/sql.ts'
import { selectSealedSecrets } from '../platform/sealing/sealed-columns.ts'
import { createSealer, keyIdOf, type Sealer } from '../platform/sealing/sealing.ts'

/**
 * Throws if the database contains a secret whose key is missing. A damaged secret does not stop the
 * process: no key could open it, and only what uses it fails.
 */
export async function openSealer(config: Config, db: Db): Promise<Sealer> {
  const sealer = createSealer(secretsKeys(config))
  // Commands import this file, and most do not need all the rooms, which take a second to load.
  const { sealedColumns } = await import('./parts.ts')
  const unknown = (await selectSealedSecrets(db, sealedColumns))
    .map(keyIdOf)
    .filter((id) => id !== undefined && !sealer.keyIds.includes(id))
  if (unknown.length === 0) return sealer
  const names = unknown.map((id) => `"${id}"`).join(', ')
  throw new Error(
    `Secrets in the database are sealed with the key ${names}, ` +
      'which SECRETS_KEY does not list. Add it after the first one.',
  )
}
