import type { Described, Options, Program } from './command.ts'
import { placeOf } from './read-arguments.ts'
import { wrap } from './width.ts'

const MAX_COLUMNS = 100

type Page = { width: number; program: Omit<Program<never, never>, 'commands'> }

/** Help for one command. */
export function commandHelp(command: Described, page: Page): string {
  const { words, args, options, examples, details, alias } = command
  const { program } = page
  const places = Object.entries(args).map(([name, { many, optional }]) => {
    const place = placeOf(name) + (many ? '…' : '')
    return optional ? `[${place}]` : place
  })
  const takes = Object.keys(options).length > 0 ? ['[options]'] : []
  return sections(page, [
    [
      undefined,
      [command.summary + (alias ? ` Also: ${alias}.` : ''), ...(details ? ['', details] : [])],
    ],
    ['Usage', [`  ${[program.name, words, ...places, ...takes].filter(Boolean).join(' ')}`]],
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
    ...optionSections(options, page, words === ''),
    ['Examples', examples.map((example) => `  ${program.name} ${example}`.replace(/( --)? $/, ''))],
    [undefined, words === '' ? [...(program.notes ?? [])] : []],
  ])
}

/** A single-command program shows all its options together. */
function optionSections(options: Options, page: Page, isOnly: boolean): [string, string[]][] {
  const globals = page.program.options
  if (isOnly) return [['Options', rows(page, optionRows({ ...options, ...globals }))]]
  return [
    ['Options', rows(page, optionRows(options))],
    ['Global options', rows(page, optionRows(globals))],
  ]
}

/** Help for all commands, or for those in a group. */
export function groupHelp(commands: readonly Described[], page: Page, isAll: boolean): string {
  const { program } = page
  const one = commands[0]?.words.split(' ')[0] ?? ''
  return sections(page, [
    [undefined, isAll ? [program.about] : []],
    ['Usage', [`  ${program.name} ${isAll ? 'COMMAND' : `${one} COMMAND`} …`]],
    [
      'Commands',
      rows(
        page,
        commands.map(({ words, summary }) => [words, summary]),
      ),
    ],
    ['Global options', rows(page, optionRows(program.options))],
    [
      undefined,
      [`${program.name} ${isAll ? '' : `${one} `}COMMAND --help shows its options and examples.`],
    ],
    [undefined, isAll ? [...(program.notes ?? [])] : []],
  ])
}

function sections({ width }: Page, all: [string | undefined, string[]][]): string {
  const columns = Math.min(width, MAX_COLUMNS)
  return all
    .filter(([, lines]) => lines.length > 0)
    .map(([head, lines]) =>
      head === undefined
        ? lines.flatMap((line) => wrap(line, columns)).join('\n')
        : `${head}:\n${lines.join('\n')}`,
    )
    .join('\n\n')
}

const optionRows = (options: Options): [string, string][] =>
  Object.entries(options).map(([name, { value, about, choices }]) => [
    `--${name}${value ? ` ${value}` : ''}`,
    withChoices(about, choices),
  ])

const withChoices = (about: string, choices?: readonly string[]) =>
  choices ? `${about}: ${choices.join(', ')}` : about

function rows({ width }: Page, all: [string, string][]): string[] {
  const names = Math.max(0, ...all.map(([name]) => name.length)) + 4
  const columns = Math.max(20, Math.min(width, MAX_COLUMNS) - names)
  return all.flatMap(([name, text]) =>
    wrap(text, columns).map(
      (line, index) => `  ${(index === 0 ? name : '').padEnd(names - 2)}${line}`,
    ),
  )
}
