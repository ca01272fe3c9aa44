import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { git } from '../../tools/check/last-release.ts'
import { sinceRelease } from '../../tools/check/since-release.ts'
import { checkChangelog, checkTag, checkTree, checkUpgrade } from '../../tools/release/checklist.ts'
import { tagRelease } from '../../tools/release/tag.ts'
import { walk } from '../../tools/release/walk.ts'

const BASELINE = 'src/platform/database/migrations/0001_baseline.sql'
const HISTORY = 'test/histories/booking.confirmed.json.gz'

let folder: string
let root: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'))
  root = join(folder, 'network')
  mkdirSync(root)
  git(root, 'init', '--quiet', '--initial-branch=main')
  for (const [name, value] of [
    ['user.name', 'Maintainer'],
    ['user.email', 'maintainer@example.com'],
    ['commit.gpgSign', 'false'],
    ['tag.gpgSign', 'false'],
  ] as const) {
    git(root, 'config', name, value)
  }
  put('package.json', JSON.stringify({ version: '0.1.0' }))
  put('CHANGELOG.md', '# Changelog\n\n## [0.1.0] - 2026-12-01\n\n### Added\n- Bookings\n')
  put('openapi.json', openApi('venue', 'slot_time'))
  put('intents.json', '{}')
  put(BASELINE, '-- Up Migration\n')
  put(HISTORY, 'recorded at 0.1.0')
  commit()
})
afterEach(() => rmSync(folder, { recursive: true }))

function put(file: string, text: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

function commit() {
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--allow-empty', '--no-verify', '--message', 'network: change')
}

/** An API with one operation and one event. */
function openApi(...fields: string[]) {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
    required: fields,
  }
  const content = { 'application/json': { schema } }
  const operation = { parameters: [], responses: { 200: { content } } }
  return JSON.stringify({
    paths: { '/api/bookings': { get: operation } },
    webhooks: { 'booking.confirmed': { post: { ...operation, requestBody: { content } } } },
    components: { schemas: {}, parameters: {} },
  })
}

const release = () => tagRelease(root, git(root, 'rev-parse', 'HEAD'))

test('nothing is compared before a release, after a candidate, or with another branch', () => {
  git(root, 'tag', 'v0.1.0-rc.1')
  git(root, 'switch', '--quiet', '--create', 'other')
  commit()
  git(root, 'tag', 'v0.9.0')
  git(root, 'switch', '--quiet', 'main')
  expect(sinceRelease(root)).toEqual({
    problems: [],
    note: expect.stringContaining('no tag such as v0.1.0'),
  })
})

test('the highest release among the ancestors counts, whatever the order of its tags', () => {
  for (const tag of ['v0.10.0', 'v0.9.1', 'v0.11.0-rc.1']) git(root, 'tag', tag)
  commit()
  expect(sinceRelease(root)).toEqual({ release: 'v0.10.0', problems: [] })
})

test('a shallow clone says that it cannot compare, and the checklist does not pass there', () => {
  release()
  commit()
  const clone = join(folder, 'clone')
  git(folder, 'clone', '--quiet', '--depth=1', `file://${root}`, clone)
  expect(sinceRelease(clone)).toEqual({
    problems: [],
    note: expect.stringContaining('this clone is shallow'),
  })
  expect(() => checkUpgrade(clone)).toThrow('git fetch --unshallow --tags')
})

test('additions to the API, migrations and histories follow a release', () => {
  release()
  put('openapi.json', openApi('venue', 'slot_time', 'party_size'))
  put('src/platform/database/migrations/0002_index.sql', '-- Up Migration\n')
  put('test/histories/booking.confirmed.patched.json.gz', 'recorded later')
  expect(sinceRelease(root)).toEqual({ release: 'v0.1.0', problems: [] })
  expect(checkUpgrade(root)).toContain('v0.1.0 can be upgraded')
})

test('a released migration and a released history stay as they are', () => {
  release()
  put(BASELINE, '-- Up Migration\ncreate table venue ();\n')
  put('src/platform/database/migrations/0000_early.sql', '-- Up Migration\n')
  rmSync(join(root, HISTORY))
  commit()
  expect(sinceRelease(root).problems).toEqual([
    `${BASELINE} is in v0.1.0: add another.`,
    expect.stringContaining('0000_early.sql sorts before 0001_baseline.sql of v0.1.0'),
    `${HISTORY} is in v0.1.0: keep it, and record another beside it.`,
  ])
})

test('a breaking change needs the next minor version and an entry that announces it', () => {
  release()
  put('openapi.json', openApi('venue'))
  const problems = [
    'Breaking changes since v0.1.0:',
    '  GET /api/bookings 200 application/json: slot_time was removed',
    '  webhook booking.confirmed: slot_time was removed',
    'If intended: version 0.2.0, and a line under Changed or Removed in CHANGELOG.md.',
  ]
  const later = (version: string, kind: string) => {
    put('package.json', JSON.stringify({ version }))
    put('CHANGELOG.md', `## [${version}] - unreleased\n\n### ${kind}\n- \`slot_time\`\n`)
    return sinceRelease(root).problems
  }
  expect(sinceRelease(root).problems).toEqual(problems)
  expect(later('0.1.1', 'Removed')).toEqual(problems)
  expect(later('0.2.0', 'Added')).toEqual(problems)
  expect(later('0.2.0', 'Removed')).toEqual([])
  git(root, 'tag', 'v1.0.0')
  put('openapi.json', openApi())
  put('package.json', JSON.stringify({ version: '1.3.0' }))
  expect(sinceRelease(root).problems.at(-1)).toContain('version 2.0.0')
})

test('before the first release, there is one migration and no patched()', () => {
  expect(checkUpgrade(root)).toContain('one baseline migration')
  put('src/platform/database/migrations/0002_index.sql', '-- Up Migration\n')
  put('workflows/booking.ts', "if (patched('offers')) await offer()\n")
  expect(() => checkUpgrade(root)).toThrow(/0002_index\.sql into the baseline\n.*booking\.ts calls/)
})

test('a changelog needs a date, entries, and few of each kind', () => {
  const check = (text: string) => () => {
    put('CHANGELOG.md', text)
    return checkChangelog(root)
  }
  const ten = '- Entry,\n  on two lines\n'.repeat(10)
  expect(check(`## [0.1.0] - 2026-12-01\n### Added\n${ten}### Fixed\n- One\n`)()).toBe(
    'Added 10, Fixed 1',
  )
  expect(check(`## [0.1.0] - 2026-12-01\n### Added\n${ten}- More\n`)).toThrow('Added has 11')
  expect(check('## [0.1.0] - unreleased\n### Added\n- One\n')).toThrow('needs a date')
  expect(check('## [0.1.0] - 2026-12-01\n')).toThrow('has no entries')
  expect(check('## [0.2.0] - 2026-12-01\n### Added\n- One\n')).toThrow('add the section')
})

test('the tag is annotated with the changelog, on the checked commit, once', () => {
  const checked = git(root, 'rev-parse', 'HEAD')
  expect(checkTag(root)).toBe('v0.1.0 is free')
  expect(checkTree(root)).toBe('nothing is uncommitted')
  commit()
  tagRelease(root, checked)
  expect(git(root, 'cat-file', '-t', 'v0.1.0')).toBe('tag')
  expect(git(root, 'rev-parse', 'v0.1.0^{commit}')).toBe(checked)
  const message = git(root, 'tag', '--list', '--format=%(contents)', 'v0.1.0')
  expect(message).toBe('venue-network 0.1.0\n\n### Added\n- Bookings')
  expect(() => checkTag(root)).toThrow('raise the version')
  put('README.md', readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
  expect(() => checkTree(root)).toThrow('README.md')
})

test('the checklist is walked to its end, and counts what is to do', async () => {
  const lines: string[] = []
  const refuse = async () => {
    throw new Error('first\nsecond')
  }
  const items = [
    { name: 'a', check: refuse },
    { name: 'b', check: () => 'well' },
  ]
  expect(await walk(items, (line) => lines.push(line))).toBe(1)
  expect(lines).toEqual(['to do  a: first\n         second', 'ok     b: well'])
})
