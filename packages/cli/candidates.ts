import type { Described, Options } from '../../src/platform/command-line/command.ts'

/** A completion. */
export type Completion = { text: string; about: string }

type Completed = { commands: readonly Described[]; options: Options }

/** Completions for the last word; none if the input is invalid. */
export function candidates(program: Completed, typed: readonly string[]): Completion[] {
  const before = typed.slice(0, -1)
  const prefix = typed.at(-1) ?? ''
  return all(program, before, prefix).filter(({ text }) => text.startsWith(prefix))
}

function all(
  { commands, options: globals }: Completed,
  before: readonly string[],
  prefix: string,
): Completion[] {
  const [first = '', second = ''] = before
  const command =
    commands.find(({ words }) => words === `${first} ${second}`) ??
    commands.find(({ words, alias }) => words === first || alias === first)
  if (!command) return nextWords(commands, before)
  const options: Options = { ...command.options, ...globals }
  const open = before.at(-1)?.startsWith('--') ? options[before.at(-1)?.slice(2) ?? ''] : undefined
  if (open && open.kind !== 'flag') return choicesOf(open.choices, prefix, open.kind === 'list')
  if (prefix.startsWith('-')) {
    return Object.entries(options).map(([name, { about }]) => ({ text: `--${name}`, about }))
  }
  const [argument] = Object.values(command.args)
  const isFirst = before.length === command.words.split(' ').length
  return isFirst ? choicesOf(argument?.choices, prefix, false) : []
}

/** The first words of commands, or the second words within a group. */
function nextWords(commands: readonly Described[], before: readonly string[]): Completion[] {
  const place = before.length
  if (place > 1) return []
  const group = commands.filter(({ words }) => place === 0 || words.startsWith(`${before[0]} `))
  const byWord = new Map<string, Completion>()
  for (const { words, summary } of group) {
    const text = words.split(' ')[place]
    if (text === undefined) continue
    byWord.set(text, { text, about: byWord.has(text) ? `Commands about ${text}` : summary })
  }
  return [...byWord.values()]
}

/** In a list, only the last value is completed. */
function choicesOf(choices: readonly string[] = [], prefix: string, isList: boolean): Completion[] {
  const before = isList ? prefix.slice(0, prefix.lastIndexOf(',') + 1) : ''
  return choices.map((choice) => ({ text: before + choice, about: '' }))
}
