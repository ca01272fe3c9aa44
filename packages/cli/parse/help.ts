import type { Command, Option } from '../command.ts'
import { wrap } from '../screen/width.ts'
import { globalOptions } from './global-options.ts'
import { placeOf } from './read-arguments.ts'

const MOST_COLUMNS = 100

/** What help is written for: the width that there is, and how the program was called. */
type Page = { width: number; program: string }

/** Explains one command. */
export function commandHelp(command: Command, page: Page): string {
  const { words, args, options, examples, details, alias } = command
  const places = Object.entries(args).map(([name, { many }]) => placeOf(name) + (many ? '…' : ''))
  const takes = Object.keys(options).length > 0 ? ['[options]'] : []
  return sections(page, [
    [
      undefined,
      [command.summary + (alias ? ` Also: ${alias}.` : ''), ...(details ? ['', details] : [])],
    ],
    ['Usage', [`  ${[page.program, words, ...places, ...takes].join(' ')}`]],
    [
      'Arguments',
      rows(
        page,
        Object.entries(args).map(([name, { about, choices }]) => [
          placeOf(name),
          withChoices(about, choices),
        ]),
      ),
    ],
    ['Options', rows(page, optionRows(options))],
    ['Options of every command', rows(page, optionRows(globalOptions))],
    ['Examples', examples.map((example) => `  ${page.program} ${example}`)],
  ])
}

/** Lists commands: all of the program, or those of a group. */
export function groupHelp(commands: readonly Command[], page: Page, isAll: boolean): string {
  const { program } = page
  const one = commands[0]?.words.split(' ')[0] ?? ''
  return sections(page, [
    [undefined, isAll ? ['Search venues, book, and receive events, from a terminal.'] : []],
    ['Usage', [`  ${program} ${isAll ? 'COMMAND' : `${one} COMMAND`} …`]],
    [
      'Commands',
      rows(
        page,
        commands.map(({ words, summary }) => [words, summary]),
      ),
    ],
    ['Options of every command', rows(page, optionRows(globalOptions))],
    [
      undefined,
      [`${program} ${isAll ? 'COMMAND' : `${one} COMMAND`} --help explains one, with examples.`],
    ],
    [undefined, isAll ? exitCodeLines : []],
  ])
}

const exitCodeLines = [
  'Exit codes: 0 done, 1 refused, 2 not understood, 3 not reachable, 4 not decided yet.',
]

function sections({ width }: Page, all: [string | undefined, string[]][]): string {
  const columns = Math.min(width, MOST_COLUMNS)
  return all
    .filter(([, lines]) => lines.length > 0)
    .map(([head, lines]) =>
      head === undefined
        ? lines.flatMap((line) => wrap(line, columns)).join('\n')
        : `${head}:\n${lines.join('\n')}`,
    )
    .join('\n\n')
}

const optionRows = (options: Record<string, Option>): [string, string][] =>
  Object.entries(options).map(([name, { value, about, choices }]) => [
    `--${name}${value ? ` ${value}` : ''}`,
    withChoices(about, choices),
  ])

const withChoices = (about: string, choices?: readonly string[]) =>
  choices ? `${about}: ${choices.join(', ')}` : about

function rows({ width }: Page, all: [string, string][]): string[] {
  const names = Math.max(0, ...all.map(([name]) => name.length)) + 4
  const columns = Math.max(20, Math.min(width, MOST_COLUMNS) - names)
  return all.flatMap(([name, text]) =>
    wrap(text, columns).map(
      (line, index) => `  ${(index === 0 ? name : '').padEnd(names - 2)}${line}`,
    ),
  )
}
