import { execFileSync } from 'node:child_process'

/** A release candidate, such as `v0.2.0-rc.1`, is no release: nobody may rely on it. */
const RELEASE = /^v\d+\.\d+\.\d+$/

/** In a hook, Git sets these to the repository of the hook. */
const elsewhere = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined }

/** What Git prints in `root`, without the last line break. */
export function git(root: string, ...args: string[]): string {
  const env = { ...process.env, ...elsewhere }
  return execFileSync('git', args, {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  }).trimEnd()
}

/** The tag of the newest release that the current commit contains, if any. */
export const lastRelease = (root: string): string | undefined =>
  git(root, 'tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname')
    .split('\n')
    .find((tag) => RELEASE.test(tag))

/** Why there is no release to compare with. */
export const whyNoRelease = (root: string): string =>
  git(root, 'rev-parse', '--is-shallow-repository') === 'true'
    ? 'this clone is shallow, and has none; `git fetch --unshallow --tags` fetches all'
    : 'no tag such as v0.1.0 is among the ancestors of this commit'
