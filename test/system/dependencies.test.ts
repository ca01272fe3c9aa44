import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { packages } = JSON.parse(read('package-lock.json'))

/** Used only by `npm start` and the tests; the image lacks their platform packages. */
const local = /^src\/(?:local|commands\/cluster)/

test('the image has every package that its programs import', () => {
  const files = globSync('{activities,cli,simulator,src,workflows}/**/*.ts', { cwd: root })
  const imported = files
    .filter((file) => !local.test(file))
    .flatMap((file) => [
      ...read(file).matchAll(/(?:^(?:import|export|\}).* from |import\()'([\w@][\w@:/.-]*)'/gm),
    ])
    .map(([, name = '']) => name)
    .filter((name) => !isBuiltin(name))
    .map((name) => name.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? name)
  expect(imported).toContain('fastify')
  const left = imported.filter((name) => {
    const { dev, optional } = packages[`node_modules/${name}`] ?? { dev: true }
    return dev || optional
  })
  expect([...new Set(left)]).toEqual([])
})

test('no package is listed twice', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  const twice = Object.keys(devDependencies).filter((name) => name in dependencies)
  expect(twice).toEqual([])
})
