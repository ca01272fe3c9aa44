import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { breakingChanges } from './breaking-changes.ts'
import { changelogSection } from './changelog.ts'
import { git, lastRelease, whyNoRelease } from './last-release.ts'
import { intentSurfaces, restSurfaces } from './surfaces.ts'

const MIGRATIONS = 'src/platform/database/migrations'
const HISTORIES = 'test/histories'

/**
 * Compares the files in `root` with the last release: its callers, databases and running workflows
 * must survive an upgrade. `note` says why nothing was compared.
 */
export function sinceRelease(root: string): {
  release?: string
  problems: string[]
  note?: string
} {
  const release = lastRelease(root)
  if (!release) {
    return { problems: [], note: `Not compared with a release: ${whyNoRelease(root)}.` }
  }
  const problems = [
    ...breaks(root, release),
    ...changed(root, release, MIGRATIONS).map((file) => `${file} is in ${release}: add another.`),
    ...earlyMigrations(root, release),
    ...changed(root, release, HISTORIES).map(
      (file) => `${file} is in ${release}: keep it, and record another beside it.`,
    ),
  ]
  return { release, problems }
}

/** Breaking changes of the API and of events that version and changelog do not announce. */
function breaks(root: string, release: string): string[] {
  const before = (name: string) => JSON.parse(git(root, 'show', `${release}:${name}`))
  const now = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
  const found = [
    ...breakingChanges(restSurfaces(before('openapi.json')), restSurfaces(now('openapi.json'))),
    ...breakingChanges(intentSurfaces(before('intents.json')), intentSurfaces(now('intents.json'))),
  ]
  if (found.length === 0) return []
  const { version } = now('package.json')
  const needed = breakingVersion(release)
  const section = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  const isAnnounced = section?.kinds.some(({ kind }) => kind === 'Changed' || kind === 'Removed')
  if (isAtLeast(version, needed) && isAnnounced) return []
  return [
    `Breaking changes since ${release}:`,
    ...found.map((text) => `  ${text}`),
    `If intended: version ${needed}, and a line under Changed or Removed in CHANGELOG.md.`,
  ]
}

/** The lowest version that may break callers of a release: while the major is 0, the next minor. */
function breakingVersion(release: string): string {
  const [major = 0, minor = 0] = numbersOf(release)
  return major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`
}

const numbersOf = (version: string) =>
  version
    .replace(/^v|-.*$/g, '')
    .split('.')
    .map(Number)

function isAtLeast(version: string, least: string): boolean {
  const [own, other] = [numbersOf(version), numbersOf(least)]
  const at = own.findIndex((number, index) => number !== other[index])
  return at === -1 || (own[at] ?? 0) > (other[at] ?? 0)
}

/** Files of the release below `folder` that are missing or have other content. */
const changed = (root: string, release: string, folder: string): string[] =>
  git(root, 'diff', '--name-only', '--no-renames', '--diff-filter=a', release, '--', folder)
    .split('\n')
    .filter(Boolean)

/** Migrations run in the order of their names, so new ones come after those of the release. */
function earlyMigrations(root: string, release: string): string[] {
  const released = git(root, 'ls-tree', '--name-only', `${release}:${MIGRATIONS}`).split('\n')
  const last = released.toSorted().at(-1) ?? ''
  return readdirSync(join(root, MIGRATIONS))
    .filter((name) => !released.includes(name) && name < last)
    .map(
      (name) => `${MIGRATIONS}/${name} sorts before ${last} of ${release}: give it a later number.`,
    )
}
