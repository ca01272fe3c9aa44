import { expect, test } from 'vitest'
import { candidates } from '../../packages/cli/candidates.ts'
import { commands } from '../../packages/cli/commands/commands.ts'
import { programOf } from '../../packages/cli/program.ts'
import { commandHelp, groupHelp } from '../../src/platform/command-line/help.ts'
import { nearest } from '../../src/platform/command-line/nearest.ts'
import { parseCommandLine } from '../../src/platform/command-line/parse-command-line.ts'
import { widthOf } from '../../src/platform/command-line/width.ts'

const program = programOf('venue-network')

/** The parsed command line, without running it. */
function parse(line: string) {
  const typed = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  )
  const parsed = parseCommandLine(program, typed, 100)
  if (parsed.is === 'help') return { words: 'group', args: {}, values: {} }
  const { command, args, options, globals } = parsed
  return { words: command.words, args, values: { ...options, ...globals } }
}

const examples = commands.flatMap(({ words, examples }) =>
  examples.map((line) => [line, words] as const),
)

test.each(examples.map(([line, words]) => [line.replace(/ [<>|].*/, ''), words]))(
  'the example "%s" is parsed as %s',
  (line, words) => expect(parse(line).words).toBe(words),
)

test('every command has an example, and its help fits the screen', () => {
  for (const command of commands) {
    const help = commandHelp(command, { width: 100, program })
    expect(command.examples.length).toBeGreaterThan(0)
    expect(help).toContain(command.summary)
    for (const [name, { about }] of Object.entries(command.options)) {
      expect(help).toContain(`--${name}`)
      expect(about).not.toBe('')
    }
    const [body = ''] = help.split('Examples:')
    for (const line of body.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(100)
  }
  const all = groupHelp(commands, { width: 80, program }, true)
  for (const { words } of commands) expect(all).toContain(`  ${words}`)
})

test('options may come before, within and after the command', () => {
  const expected = {
    words: 'bookings list',
    args: {},
    values: { json: true, status: 'confirmed', url: 'http://a' },
  }
  expect(parse('--json bookings list --status confirmed --url http://a')).toEqual(expected)
  expect(parse('--url http://a bookings --json list --status=confirmed')).toEqual(expected)
})

test('search words stay together, apart from options', () => {
  expect(parse('search sushi in Canggu --party 2')).toMatchObject({
    args: { words: 'sushi in Canggu' },
    values: { party: 2 },
  })
  expect(parse('search --json -- --odd name')).toMatchObject({ args: { words: '--odd name' } })
})

test('lists accept commas and repetition', () => {
  expect(parse('listen --types booking.*,fee.accrued --types fee.reversed').values).toEqual({
    types: ['booking.*', 'fee.accrued', 'fee.reversed'],
  })
})

test.each([
  ['serach sushi', 'Did you mean "search"?'],
  ['bookings cancle x', 'Did you mean "bookings cancel"?'],
  ['bookings xyzzy', 'See --help'],
  ['search sushi --limt 3', 'Did you mean --limit?'],
  ['bookings list --stauts held', 'Did you mean --status?'],
  ['search sushi --frobnicate', 'See --help'],
  ['search sushi --constructor x', 'There is no option --constructor.'],
  ['bookings list --status confirmd', 'Did you mean confirmed?'],
  ['listen --types booking', 'Did you mean booking.*?'],
  ['search sushi --party two', '--party needs a whole number.'],
  ['search sushi --party -1', '--party needs N.'],
  ['search sushi --party', '--party needs N.'],
  ['search sushi --date --json', '--date needs YYYY-MM-DD.'],
  ['search sushi --json=yes', '--json takes no value.'],
  ['search', 'search needs WORDS.'],
  ['bookings show', 'bookings show needs BOOKING.'],
  ['bookings show a b', 'bookings show takes no "b".'],
  ['completion powershell', 'SHELL is one of bash, zsh, fish.'],
])('"%s" is refused with "%s"', (line, text) => expect(() => parse(line)).toThrow(text))

test('only similar words are suggested', () => {
  const words = ['search', 'status', 'listen', 'login', 'logout']
  expect(
    ['serach', 'lsiten', 'stat', 'logn', 'frobnicate'].map((word) => nearest(word, words)),
  ).toEqual(['search', 'listen', 'status', 'login', undefined])
})

test.each([
  [['sea'], ['search']],
  [['bookings', 'ca'], ['cancel']],
  [['bookings', 'list', '--st'], ['--status']],
  [['bookings', 'list', '--status', 'con'], ['confirmed']],
  [
    ['bookings', 'cancel', 'ID', '--by', ''],
    ['guest', 'agent'],
  ],
  [['listen', '--types', 'fee.accrued,fee.r'], ['fee.accrued,fee.reversed']],
  [['completion', 'f'], ['fish']],
  [['status', '--pro'], ['--profile']],
  [['nothing', 'here'], []],
  [['search', 'sushi', ''], []],
])('%j can continue with %j', (typed, texts) => {
  expect(candidates(program, typed).map(({ text }) => text)).toEqual(texts)
})
