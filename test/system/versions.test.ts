import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { findClusterPrograms } from '../../tools/cluster/cluster-programs.ts'
import { checkVersions } from '../../tools/release/versions.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { services } = parse(read('docker-compose.yml'), { merge: true })
const { version, dependencies } = JSON.parse(read('package.json'))

test('the image and the project have the same Node version', () => {
  expect(read('Dockerfile')).toContain(`ARG NODE=${dependencies.node}-`)
})

test('whatever names the version names the same one, with which the changelog begins', () => {
  expect(checkVersions(root)).toContain(version)
  expect(read('CHANGELOG.md').match(/^## \[(.+?)\]/m)?.[1]).toBe(version)
})

test('the command line needs no other package', () => {
  expect(JSON.parse(read('packages/cli/package.json')).dependencies).toBeUndefined()
})

test('the cluster builds the versions that the containers run', async () => {
  const packages: string[] = []
  await findClusterPrograms({
    build: async (goPackage) => void packages.push(goPackage),
    cached: () => '/nowhere',
  })
  const [server, sqlTool, ui] = packages.map((goPackage) => goPackage.split('@v')[1])
  expect(services.temporal.image).toBe(`temporalio/server:${server}`)
  expect(services['temporal-schema'].image).toBe(`temporalio/admin-tools:${sqlTool}`)
  expect(services['temporal-ui'].image).toBe(`temporalio/ui:${ui}`)
})
