import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holdDataFolder, readFolderState, takeDataFolder } from '../../src/local/data-folder.ts'
import { startProgram } from '../support/programs.ts'

let path: string

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'data-folder-'))
})

afterEach(() => rmSync(path, { recursive: true, force: true }))

const startHolder = async () => {
  const holder = startProgram('test/support/hold-data-folder.ts', { DATA_DIR: path })
  await holder.prints('held')
  return holder
}

test('a folder used by another process is refused, and that process is named', async () => {
  const holder = await startHolder()
  expect(takeDataFolder(path)).toBeUndefined()
  expect(() => holdDataFolder(path)).toThrow(
    `The data folder ${path} is in use by process ${holder.process.pid}.`,
  )
  await holder.end('SIGKILL')
})

// Node's own recursive creation never ends in /proc.
test.each(['file/data', '/proc/data', '/proc/data/more'])(
  'a folder that cannot be made, %s, is named with the way out',
  (folder) => {
    const dataDir = resolve(path, folder)
    writeFileSync(join(path, 'file'), '')
    expect(() => holdDataFolder(dataDir)).toThrow(
      new RegExp(
        `^The data folder ${dataDir} cannot be used \\(E[A-Z]+.*\\). Set another DATA_DIR.$`,
      ),
    )
  },
)

test('after `kill -9` the folder is free, keeps its ports, and announces no database', async () => {
  const holder = await startHolder()
  await holder.end('SIGKILL')
  expect(readFolderState(path).databaseUrl).toBe('postgres://left-behind')
  const folder = holdDataFolder(path)
  expect(readFolderState(path)).toEqual({ pid: process.pid, postgresPort: 5001 })
  folder.release()
})

test('of many concurrent starts exactly one gets the folder', async () => {
  const programs = Array.from({ length: 4 }, () =>
    startProgram('test/support/hold-data-folder.ts', { DATA_DIR: path }),
  )
  const outcomes = await Promise.all(
    programs.map((program) =>
      program.prints('held').then(
        () => 'held',
        () => (program.output().includes('is in use') ? 'refused' : program.output()),
      ),
    ),
  )
  expect(outcomes.toSorted()).toEqual(['held', 'refused', 'refused', 'refused'])
  await Promise.all(programs.map((program) => program.end('SIGKILL')))
})

test('a released folder can be used again and announces no database', () => {
  const folder = holdDataFolder(path)
  folder.update({ temporalPort: 5002, databaseUrl: 'postgres://here' })
  expect(statSync(join(path, 'state.json')).mode & 0o777).toBe(0o600)
  folder.release()
  expect(readFolderState(path)).toEqual({ temporalPort: 5002 })
  holdDataFolder(path).release()
})

test('an unreadable state file counts as none', () => {
  writeFileSync(join(path, 'state.json'), '{"postgresPort": 70')
  const folder = holdDataFolder(path)
  expect(folder.state).toEqual({ pid: process.pid })
  folder.release()
})
