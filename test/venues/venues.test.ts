import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { venueProgram } from '../../src/commands/venue-program.ts'
import { runOperatorCommand } from '../support/commands.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { nightly } from '../support/nightly.ts'
import { startProgram, withoutProgress } from '../support/programs.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await createDatabase()
  folder = await mkdtemp(join(tmpdir(), 'venues-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await database?.drop()
})

async function venues(...args: string[]) {
  const program = startProgram('src/commands/venues.ts', { DATABASE_URL: database.url }, args)
  await once(program.process, 'close')
  return { code: program.process.exitCode, output: withoutProgress(program.output()) }
}

/** Runs a command in this process, if it prints nothing while it works. */
const here = (...args: string[]) => runOperatorCommand(venueProgram, database.url, args)

const head = 'id,name,category,latitude,longitude,hours,seats\n'
const row = (id: string, name: string) => `${id},${name},bar,-8.6913,115.1682,18:00-02:00,12\n`

async function fileOf(name: string, ...parts: (string | Buffer)[]): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, Buffer.concat(parts.map((part) => Buffer.from(part))))
  return path
}

test('a file is loaded, reloaded and exported, and the export changes nothing', async () => {
  const file = await fileOf('bars.csv', '\ufeff', head, row('a', 'Bar A'), row('b', 'Bar B'))
  expect(await venues('import', file)).toEqual({
    code: 0,
    output: '2 new, 0 updated, 0 unchanged, 0 refused\nTowns: Seminyak (ID): 2.\n',
  })
  expect(await venues('import', file)).toEqual({
    code: 0,
    output: '0 new, 0 updated, 2 unchanged, 0 refused\n',
  })
  const out = join(folder, 'out.geojson')
  expect(await venues('export', '--source', 'bars.csv', '--out', out)).toEqual({
    code: 0,
    output: `${out} has 2 venues.\n`,
  })
  expect(await venues('import', out)).toMatchObject({
    output: '0 new, 0 updated, 2 unchanged, 0 refused\n',
  })
  const printed = await venues('export', '--source', 'bars.csv', '--format', 'geojson')
  expect(printed.output).toBe(await readFile(out, 'utf8'))
  expect(await readdir(folder)).not.toContain('out.geojson.unfinished')
})

test('a row that is not UTF-8 is reported, the others load, and it exits with 1', async () => {
  const latin1 = Buffer.from(row('x', 'Café'), 'latin1')
  const file = await fileOf('latin.csv', head, row('w', 'Bar W'), latin1, row('y', 'Bar Y'))
  expect(await venues('import', file)).toEqual({
    code: 1,
    output:
      'row 3 "Caf\ufffd": refused: name: has bytes that are not UTF-8; save the file as UTF-8\n' +
      '2 new, 0 updated, 0 unchanged, 1 refused\nTowns: Seminyak (ID): 2.\n',
  })
})

nightly('a file in UTF-16 is reported as such', async () => {
  for (const file of [
    await fileOf('utf16.json', Buffer.from('\ufeff[{"id": "u"}]', 'utf16le')),
    await fileOf('bare.json', Buffer.from('[{"id": "u"}]', 'utf16le')),
  ]) {
    const { code, output } = await venues('import', file)
    expect([code, output]).toEqual([1, `${file} is UTF-16; save it as UTF-8.\n`])
  }
})

nightly('an import continues when its output is closed', async () => {
  const bad = Array.from({ length: 5_000 }, (_, index) => row(`bad${index}`, '=1+1'))
  const file = await fileOf('unread.csv', head, ...bad, row('r', 'Bar R'))
  const program = startProgram('src/commands/venues.ts', { DATABASE_URL: database.url }, [
    'import',
    file,
  ])
  await program.prints('row 2 ')
  program.process.stdout?.destroy()
  await once(program.process, 'close')
  expect(program.process.exitCode).toBe(1)
  expect((await venues('export', '--source', 'unread.csv')).output).toContain('"Bar R"')
})

test('--strict then loads nothing, and --dry-run never loads anything', async () => {
  const file = await fileOf('mixed.csv', head, row('p', 'Bar P'), row('q', '=1+1'))
  const strict = await venues('import', file, '--strict')
  expect(strict).toMatchObject({ code: 1 })
  expect(strict.output).toContain('1 new, 0 updated, 0 unchanged, 1 refused\nNothing was loaded')
  const dry = await venues('import', file, '--dry-run')
  expect(dry).toMatchObject({ code: 1 })
  expect(dry.output).toContain('This was a dry run: nothing has changed.')
  expect((await venues('export', '--source', 'mixed.csv')).output).toBe('{"venues": [\n]}\n')
})

test.each([
  [['import', 'nowhere.csv'], 'There is no file nowhere.csv that can be read.'],
  [['export', '--out', '/nowhere/x.csv'], 'no such file or directory'],
])('%j fails with one message and no stack', async (args, message) => {
  const { code, output } = await venues(...args)
  expect(code).toBe(1)
  expect(output).toContain(message)
  expect(output).not.toMatch(/^\s+at /m)
})

test('a day is closed, listed, changed and opened again', async () => {
  const day = ['satu-meja', '--date', '2031-03-08']
  const { output } = await here('close', ...day, '--reason', 'A wedding')
  expect(output).toBe('Satu Meja is closed on 2031-03-08: A wedding\n')
  await here('close', ...day, '--hours', '18:00-02:00', '--reason', 'Dinner only')
  const listed = await here('exceptions', 'satu-meja')
  expect(listed.output).toMatch(
    /^DATE +WHERE +HOURS +REASON *\n2031-03-08 +satu-meja +18:00-26:00 +Dinner only\n$/,
  )
  expect((await here('open', ...day)).output).toContain('(1 exception removed)')
  const again = await here('open', ...day)
  expect([again.code, again.output]).toEqual([
    1,
    expect.stringContaining('no exception of its own'),
  ])
  const unknown = await here('close', '--area', 'atlantis', '--date', '2031-03-08', '--reason', 'x')
  expect([unknown.code, unknown.output]).toEqual([2, expect.stringContaining('ubud')])
})

test('--help lists every command and explains each with an example', async () => {
  const { code, output } = await venues('--help')
  expect(code).toBe(0)
  for (const { words, summary } of venueProgram.commands) {
    expect(output).toContain(`  ${words}`)
    expect(output).toContain(summary.slice(0, 30))
  }
  const one = await venues('import', '--help')
  expect(one.code).toBe(0)
  for (const word of ['import FILE', '--strict', '--dry-run', '--source', 'import venues.csv']) {
    expect(one.output).toContain(word)
  }
})
