import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NETWORK_VERSION } from '../../src/base/ids.ts'
import { serverInfo } from '../../src/doors/mcp/tools.ts'
import { openApiDocument } from '../../src/doors/rest/openapi.ts'
import { git } from '../check/last-release.ts'
import { versionOf } from './tag.ts'
import { refuse } from './walk.ts'

/** How documents and container files name the version. */
const MENTIONS = [
  /venue-network-cli-(\d[\w.-]*)\.tgz/g,
  /image: venue-network:(\d[\w.-]*)/g,
  /"network_version": "(.+?)"/g,
  /image\.version="(.+?)"/g,
]
const WITH_MENTIONS = ['*.md', '*.yml', 'Dockerfile']

/** Everything that names the version names the one in package.json. */
export function checkVersions(root: string): string {
  const version = versionOf(root)
  const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const { packages, version: locked } = json('package-lock.json')
  const names: [place: string, version: string][] = [
    ['package-lock.json', locked],
    ['package-lock.json, packages', packages[''].version],
    ['packages/cli/package.json', json('packages/cli/package.json').version],
    ['openapi.json', json('openapi.json').info.version],
    ['NETWORK_VERSION, of the Agent Card, A2A and the command line', NETWORK_VERSION],
    ["MCP's serverInfo", serverInfo.version],
    ['the OpenAPI document served', openApiDocument().info.version],
    ...mentions(root),
  ]
  refuse(
    names.flatMap(([place, other]) =>
      other === version ? [] : [`${place} has ${other}, package.json ${version}`],
    ),
  )
  return `${version} in ${names.length} places`
}

/** The version as tracked documents and container files name it, with each file. */
const mentions = (root: string): [file: string, version: string][] =>
  git(root, 'ls-files', '--', ...WITH_MENTIONS)
    .split('\n')
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const found = MENTIONS.flatMap((pattern) => [...text.matchAll(pattern)])
      return found.map(([, version = '']): [string, string] => [file, version])
    })
