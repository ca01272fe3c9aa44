import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { withProgress } from './progress.ts'

/** A published archive that holds the program `temporal`, and the SHA-256 it must have. */
export type Archive = { url: string; sha256: string }

const CONNECT_MS = 10_000
const TOTAL_MS = 5 * 60_000

const VERSION = '1.5.1'
const checksums: Record<string, string> = {
  'linux-x64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  'linux-arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  'darwin-x64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  'darwin-arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
}

/**
 * Puts the released CLI of this platform into `file`; given 10 s to connect and five minutes in
 * all.
 */
export async function downloadTemporal(file: string, archive = releasedArchive()): Promise<void> {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  const unfinished = mkdtempSync(join(folder, 'download-'))
  try {
    const bytes = await withProgress('Downloading the Temporal CLI', fetchArchive(archive.url))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (sha256 !== archive.sha256) throw new Error(`${archive.url} has another SHA-256: ${sha256}`)
    writeFileSync(join(unfinished, 'archive.tar.gz'), bytes)
    await promisify(execFile)('tar', ['-xzf', 'archive.tar.gz', 'temporal'], { cwd: unfinished })
    renameSync(join(unfinished, 'temporal'), file)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function releasedArchive(): Archive {
  const platform = `${process.platform}-${process.arch}`
  const sha256 = checksums[platform]
  if (!sha256) throw new Error(`nothing is published for ${platform}`)
  const name = `temporal_cli_${VERSION}_${platform.replace('-', '_').replace('x64', 'amd64')}.tar.gz`
  const url = `https://github.com/temporalio/cli/releases/download/v${VERSION}/${name}`
  return { url, sha256 }
}

async function fetchArchive(url: string): Promise<Buffer> {
  const connecting = new AbortController()
  const giveUp = setTimeout(
    () => connecting.abort(new Error(`no answer within ${CONNECT_MS / 1000} s`)),
    CONNECT_MS,
  )
  const signal = AbortSignal.any([connecting.signal, AbortSignal.timeout(TOTAL_MS)])
  try {
    const response = await fetch(url, { signal })
    clearTimeout(giveUp)
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return Buffer.from(await response.arrayBuffer())
  } catch (error) {
    const { message, cause } = error as Error
    throw new Error(`${url}: ${cause instanceof Error ? cause.message : message}`)
  } finally {
    clearTimeout(giveUp)
  }
}
