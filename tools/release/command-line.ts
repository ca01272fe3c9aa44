import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { outputOf } from './output-of.ts'
import { versionOf } from './tag.ts'

/** Versions of Node that the command line promises to run on; `engines` allows any from 20 on. */
const PROMISED = ['20', '24']

/** Packs the command line, then installs and starts it on every Node that this machine has. */
export async function tryCommandLine(root: string, out: string): Promise<string> {
  const version = versionOf(root)
  await outputOf(root, 'npm', ['pack', './packages/cli', '--pack-destination', out])
  const tarball = join(out, `venue-network-cli-${version}.tgz`)
  const nodes = await findNodes()
  for (const folder of nodes.values()) await tryOn(folder, tarball, version)
  const majors = [...nodes.keys()].map((one) => one.split('.', 1)[0])
  const absent = PROMISED.filter((major) => !majors.includes(major))
  return [
    `${relative(root, tarball)} runs on Node ${[...nodes.keys()].join(' and ')}`,
    ...absent.map((major) => `not tried on Node ${major}, which is not on this machine`),
  ].join('; ')
}

/** Installs the package for one Node, and asks for its version. */
async function tryOn(nodeFolder: string, tarball: string, version: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'venue-network-release-'))
  const env = { PATH: [nodeFolder, ...plainPath()].join(delimiter), HOME: homedir() }
  try {
    const install = ['install', '--global', '--offline', '--prefix', folder, tarball]
    await outputOf(folder, 'npm', install, env)
    const printed = await outputOf(folder, join(folder, 'bin/venue-network'), ['--version'], env)
    if (printed !== version) throw new Error(`it says ${printed}, not ${version}`)
  } catch (error) {
    throw new Error(`with ${nodeFolder}: ${(error as Error).message}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The folders of PATH without those of packages. */
const plainPath = () =>
  (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))

/** One folder for each version of Node: the project's, those on PATH and those of nvm. */
async function findNodes(): Promise<Map<string, string>> {
  const own = dirname(process.execPath)
  const nvm = globSync(join(homedir(), '.nvm/versions/node/*/bin'))
  const folders = [own, ...plainPath(), ...nvm].filter((folder) => existsSync(join(folder, 'node')))
  const nodes = new Map<string, string>()
  for (const folder of folders) {
    const version = await outputOf('/', join(folder, 'node'), ['--version'])
    if (!nodes.has(version.slice(1))) nodes.set(version.slice(1), folder)
  }
  return nodes
}
