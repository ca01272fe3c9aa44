import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changelogSection } from '../check/changelog.ts'
import { git } from '../check/last-release.ts'

/** The version in `root`'s package.json, which everything else must have. */
export const versionOf = (root: string): string =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version

/** Makes the annotated tag of the version, with its section of the changelog as the message. */
export function tagRelease(root: string, commit: string): string {
  const version = versionOf(root)
  const section = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  const message = `venue-network ${version}\n\n${section?.text ?? ''}`
  // By default, Git would drop the headings as comments.
  git(
    root,
    'tag',
    '--annotate',
    '--cleanup=whitespace',
    '--message',
    message,
    `v${version}`,
    commit,
  )
  return `Tagged ${commit.slice(0, 12)} as v${version}. To publish it: git push origin v${version}`
}
