import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { keepProgram } from './program-cache.ts'
import { withProgress } from './progress.ts'
import { runTool } from './run-tool.ts'
import { pinnedSha256, platform, temporalRelease, verifyProgram } from './temporal-release.ts'

const SILENCE_MS = 5_000

export type DownloadOptions = { url?: string; sha256?: string; silenceMs?: number }

/** Downloads the release from GitHub; gives up when no byte comes for 5 s. */
export async function downloadTemporal(
  file: string,
  { url = releaseUrl(), sha256 = pinnedSha256(), silenceMs = SILENCE_MS }: DownloadOptions = {},
): Promise<void> {
  await keepProgram(file, async (folder) => {
    const archive = join(folder, 'archive.tar.gz')
    await fetchFile(url, archive, silenceMs)
    await runTool('tar', ['-xzf', archive, '-C', folder, 'temporal'])
    const program = join(folder, 'temporal')
    await verifyProgram(program, sha256)
    return program
  })
}

function releaseUrl(): string {
  const { cli } = temporalRelease
  const name = `temporal_cli_${cli}_${platform.replace('-', '_').replace('x64', 'amd64')}.tar.gz`
  return `https://github.com/temporalio/cli/releases/download/v${cli}/${name}`
}

async function fetchFile(url: string, file: string, silenceMs: number): Promise<void> {
  const silence = new AbortController()
  const timer = setTimeout(
    () => silence.abort(new Error(`no byte for ${silenceMs / 1000} s`)),
    silenceMs,
  )
  let received = 0
  const download = async () => {
    const { ok, status, body } = await fetch(url, { signal: silence.signal })
    if (!ok || !body) throw new Error(`HTTP ${status}`)
    const counted = async function* () {
      for await (const chunk of body) {
        timer.refresh()
        received += chunk.length
        yield chunk
      }
    }
    await pipeline(counted, createWriteStream(file))
  }
  const megabytes = () => `${Math.round(received / 1e6)} MB`
  try {
    await withProgress('Downloading the Temporal server from GitHub', download(), megabytes)
  } catch (error) {
    const { message, cause } = error as Error
    throw new Error(`${url}: ${cause instanceof Error ? cause.message : message}`)
  } finally {
    clearTimeout(timer)
  }
}
