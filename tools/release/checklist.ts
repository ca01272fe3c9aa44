import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changelogSection } from '../check/changelog.ts'
import { git } from '../check/last-release.ts'
import { sinceRelease } from '../check/since-release.ts'
import { writeBill } from './bill.ts'
import { tryCommandLine } from './command-line.ts'
import { checkNotice } from './notice.ts'
import { outputOf } from './output-of.ts'
import { versionOf } from './tag.ts'
import { checkVersions } from './versions.ts'
import { type Item, refuse } from './walk.ts'

const MAX_ENTRIES = 10
const LABELS = ['title', 'description', 'licenses', 'version', 'revision']

/** What must be true of a release, quick checks first. */
export function checklist(root: string): Item[] {
  const out = join(root, 'artifacts/release')
  mkdirSync(out, { recursive: true })
  return [
    { name: 'working tree', check: () => checkTree(root) },
    { name: 'tag', check: () => checkTag(root) },
    { name: 'version', check: () => checkVersions(root) },
    { name: 'changelog', check: () => checkChangelog(root) },
    { name: 'image labels', check: () => checkLabels(root) },
    { name: 'bill of materials', check: () => writeBill(root, out) },
    { name: 'notice', check: () => checkNotice(root) },
    { name: 'since the last release', check: () => checkUpgrade(root) },
    { name: 'command line', check: () => tryCommandLine(root, out) },
    { name: 'check', check: () => runCheck(root) },
    { name: 'schema and histories', check: () => runTests(root) },
  ]
}

/** The tagged commit must be what was checked. */
export function checkTree(root: string): string {
  const changes = git(root, 'status', '--porcelain')
  if (changes) throw new Error(`commit or remove these changes\n${changes}`)
  return 'nothing is uncommitted'
}

/** A tag is never moved. */
export function checkTag(root: string): string {
  const tag = `v${versionOf(root)}`
  if (git(root, 'tag', '--list', tag)) throw new Error(`${tag} exists: raise the version`)
  return `${tag} is free`
}

/** The version's section has a date, and few entries of each kind. */
export function checkChangelog(root: string): string {
  const version = versionOf(root)
  const section = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  if (!section) throw new Error(`add the section "## [${version}] - YYYY-MM-DD" to CHANGELOG.md`)
  const { title, kinds } = section
  const isDated = /^## \[.+\] - \d{4}-\d{2}-\d{2}$/.test(title)
  const long = kinds.filter(({ entries }) => entries > MAX_ENTRIES)
  refuse([
    ...(isDated ? [] : [`"${title}" needs a date: "## [${version}] - YYYY-MM-DD"`]),
    ...(kinds.length > 0 ? [] : [`"${title}" has no entries`]),
    ...long.map(({ kind, entries }) => `${kind} has ${entries} entries, over ${MAX_ENTRIES}`),
  ])
  return kinds.map(({ kind, entries }) => `${kind} ${entries}`).join(', ')
}

function checkLabels(root: string): string {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const missing = LABELS.filter((name) => !text.includes(`org.opencontainers.image.${name}=`))
  if (missing.length > 0) throw new Error(`the Dockerfile lacks the labels ${missing.join(', ')}`)
  return LABELS.join(', ')
}

/** What a release has promised still holds; the first one begins without a past. */
export function checkUpgrade(root: string): string {
  const { release, problems } = sinceRelease(root)
  refuse(release ? problems : beforeFirstRelease(root))
  return release
    ? `${release} can be upgraded: API, events, migrations and histories`
    : 'there is none; one baseline migration, no patched()'
}

function beforeFirstRelease(root: string): string[] {
  if (git(root, 'rev-parse', '--is-shallow-repository') === 'true') {
    return ['this clone is shallow: git fetch --unshallow --tags']
  }
  const baseline = 'src/platform/database/migrations/0001_baseline.sql'
  const others = globSync('src/platform/database/migrations/*', { cwd: root })
  const patched = globSync('{workflows,src}/**/*.ts', { cwd: root }).filter((file) =>
    /\bpatched\(/.test(readFileSync(join(root, file), 'utf8')),
  )
  return [
    ...others.filter((file) => file !== baseline).map((file) => `write ${file} into the baseline`),
    ...patched.map((file) => `${file} calls patched(), but no booking has run on older code`),
  ]
}

async function runCheck(root: string): Promise<string> {
  await outputOf(root, process.execPath, ['tools/check/main.ts'])
  return 'types, format, lint, unused code, API'
}

async function runTests(root: string): Promise<string> {
  const files = ['test/check/schema.test.ts', 'test/platform/replay.test.ts']
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'main', ...files]
  await outputOf(root, process.execPath, vitest)
  const histories = globSync('test/histories/*.json.gz', { cwd: root }).length
  return `schema.sql is what the migrations make; ${histories} recorded histories replay`
}
