import { NETWORK_VERSION } from '../../src/base/ids.ts'
import type { Program } from '../../src/platform/command-line/command.ts'
import { parseCommandLine } from '../../src/platform/command-line/parse-command-line.ts'
import type { Values } from '../../src/platform/command-line/read-options.ts'
import { candidates } from './candidates.ts'
import type { Command, Context, Outcome } from './command.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { createNetwork } from './network/network.ts'
import { openProfiles } from './profiles.ts'
import { report } from './report.ts'
import { jsonText } from './screen/json-text.ts'
import { screenOf } from './screen/screen.ts'
import type { Settings } from './settings.ts'
import { checkedKey, findTarget, keyFor } from './target.ts'
import { readSecret } from './terminal/read-secret.ts'
import type { Terminal } from './terminal/terminal.ts'

/**
 * Used by completion scripts: `complete -- WORD…` prints one line per completion of the last word.
 */
const COMPLETE = 'complete'

/** Runs a command line and returns the exit code. */
export async function run(
  program: Program<Context, Outcome | undefined>,
  typed: readonly string[],
  settings: Settings,
  terminal: Terminal,
): Promise<ExitCode> {
  const isJson = typed.includes('--json')
  try {
    return await runTyped(program, typed, settings, terminal)
  } catch (error) {
    return report(error, { isJson, settings, terminal })
  }
}

async function runTyped(
  program: Program<Context, Outcome | undefined>,
  typed: readonly string[],
  settings: Settings,
  terminal: Terminal,
): Promise<ExitCode> {
  const { stdout } = terminal
  const screen = screenOf(stdout, settings)
  const print = (text: string) => void stdout.write(`${text}\n`)
  if (typed[0] === '--version') {
    print(NETWORK_VERSION)
    return exitCodes.done
  }
  if (typed[0] === COMPLETE) {
    for (const { text, about } of candidates(program, typed.slice(2))) print(`${text}\t${about}`)
    return exitCodes.done
  }
  const parsed = parseCommandLine(program, typed, screen.width)
  if (parsed.is === 'help') {
    print(parsed.text)
    return parsed.isAsked ? exitCodes.done : exitCodes.misused
  }
  const { command, args, options, globals } = parsed
  const call = { args, options, ...prepare(globals, settings, terminal) }
  const outcome = await command.run(call as Parameters<Command['run']>[0])
  if (!outcome) return exitCodes.done
  print(call.isJson ? jsonText(outcome.answer, 2) : outcome.text(screen))
  return outcome.code ?? exitCodes.done
}

/** The context of a command. */
function prepare(values: Values, settings: Settings, terminal: Terminal) {
  const { json, url, profile, 'key-stdin': keyStdin } = values as Record<string, string | undefined>
  const profiles = openProfiles(settings.profileFile, terminal.say)
  const target = () => findTarget({ url, profile }, settings, profiles)
  const access = once(async () => {
    const resolved = await target()
    const ask = () => readSecret(terminal, `API key for ${resolved.url} (not shown): `)
    const apiKey = keyStdin ? checkedKey(await ask()) : resolved.key
    return { url: resolved.url, key: keyFor(resolved, apiKey, settings.program) }
  })
  return {
    isJson: json !== undefined,
    settings,
    terminal,
    profiles,
    target,
    access,
    async network() {
      const { url, key } = await access()
      return createNetwork(url, key, json === undefined ? 'printable' : 'exact')
    },
  }
}

/** Caches the result: stdin can be read only once. */
function once<T>(find: () => Promise<T>): () => Promise<T> {
  let target: Promise<T> | undefined
  return () => {
    target ??= find()
    return target
  }
}
