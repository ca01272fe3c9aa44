import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const folder = resolve(import.meta.dirname, '../../docs/protocols/receivers')

/** A running receiver from docs/protocols/receivers, and its output. */
export type Receiver = { url: string; lines(): string[]; end(): Promise<void> }

/** How each receiver is started, and the program it requires. */
const commands = {
  TypeScript: { needs: process.execPath, version: '--version' },
  Python: { needs: 'python3', version: '--version' },
  Go: { needs: 'go', version: 'version' },
} as const
export type Language = keyof typeof commands
export const languages = Object.keys(commands) as Language[]

/** Why a receiver cannot run on this machine; undefined if it can. */
export function missing(language: Language): string | undefined {
  const { needs, version } = commands[language]
  try {
    execFileSync(needs, [version], { stdio: 'ignore' })
    return undefined
  } catch {
    return `there is no \`${needs}\``
  }
}

/** Starts a receiver with these secrets, by default on a free port. */
export async function startReceiver(
  language: Language,
  secrets: string[],
  port = 0,
): Promise<Receiver> {
  const temporary = mkdtempSync(join(tmpdir(), 'receiver-'))
  const [program, args] = await commandOf(language, temporary)
  const child = spawn(program, args, {
    env: { ...process.env, WEBHOOK_SECRET: secrets.join(' '), PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  const listensOn = await portOf(child, () => text)
  return {
    url: `http://127.0.0.1:${listensOn}/`,
    lines: () => text.trim().split('\n').slice(1),
    async end() {
      process.off('exit', kill)
      kill()
      await once(child, 'close')
      rmSync(temporary, { recursive: true, force: true })
    },
  }
}

async function commandOf(language: Language, temporary: string): Promise<[string, string[]]> {
  if (language === 'TypeScript') return [process.execPath, [join(folder, 'receiver.ts')]]
  if (language === 'Python') return ['python3', ['-u', join(folder, 'receiver.py')]]
  // Builds first, because `go run` would leave its child process behind; asynchronously, because a
  // service in this process may have to answer. On a new machine the standard library is compiled
  // too, which without optimization takes a third less.
  const program = join(temporary, 'receiver')
  const build = ['build', '-gcflags=all=-N -l', '-o', program, join(folder, 'receiver.go')]
  await promisify(execFile)('go', build, { timeout: 100_000 })
  return [program, []]
}

async function portOf(child: ChildProcess, text: () => string): Promise<string> {
  const ended = once(child, 'close').then(() => {
    throw new Error('the receiver ended before it listened')
  })
  for (;;) {
    const port = /^listening on (\d+)$/m.exec(text())?.[1]
    if (port) return port
    if (child.stdout) await Promise.race([once(child.stdout, 'data'), ended])
  }
}

/** Runs docs/protocols/receivers/verify.sh on a body; returns its output and exit code. */
export function runVerifyScript(
  secret: string,
  args: string[],
  body: string,
  shell: readonly string[] = ['sh'],
): { code: number; text: string } {
  const options = {
    input: body,
    env: { ...process.env, WEBHOOK_SECRET: secret },
    encoding: 'utf8',
  } as const
  const [program = 'sh', ...rest] = shell
  try {
    const text = execFileSync(program, [...rest, join(folder, 'verify.sh'), ...args], options)
    return { code: 0, text: text.trim() }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string }
    return { code: status, text: stdout.trim() }
  }
}
