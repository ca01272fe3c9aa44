import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { misplacedImports } from '../../tools/check/rooms.ts'

const root = resolve(import.meta.dirname, '../..')

/** An import of each wrong kind, by the file that contains it. */
const wrong = {
  'src/bookings/rules/one.ts': ['../store/bookings.ts', 'Rules import rules only'],
  'src/bookings/rules/two.ts': ['../schema/bookings.ts', 'Rules import rules only'],
  'src/venues/store/one.ts': ['../steps/import.ts', 'The store imports no steps'],
  'src/venues/steps/one.ts': ['../operations/get-venue.ts', 'Steps import no operations'],
  'src/webhooks/sender/one.ts': ['../operations/read-events.ts', 'Steps import no operations'],
  'src/base/one.ts': ['../platform/sql.ts', 'base is below platform'],
  'src/platform/http/one.ts': ['../../contract/public.ts', 'platform is below contract'],
  'src/platform/http/two.ts': ['../../config/config.ts', 'platform is below contract'],
  'src/contract/one.ts': ['../bookings/hooks.ts', 'contract is below webhooks and every room'],
  'src/webhooks/steps/one.ts': ['../../bookings/hooks.ts', 'webhooks imports rooms above it'],
  'src/availability/steps/one.ts': ['../../venues/schema.ts', 'availability imports rooms above'],
  'src/venues/steps/two.ts': ['../../bookings/hooks.ts', 'venues imports rooms above it'],
  'src/bookings/steps/one.ts': ['../../accounts/schema/keys.ts', 'bookings imports rooms above'],
  'src/bookings/steps/two.ts': ['../../confirmation/hooks.ts', 'bookings imports rooms above'],
  'src/waitlist/steps/one.ts': [
    '../../itineraries/rules/groups.ts',
    'waitlist imports rooms above',
  ],
  'src/itineraries/steps/one.ts': ['../../waitlist/rules/watches.ts', 'and no optional one'],
  'src/agents/steps/one.ts': ['../../accounts/schema/keys.ts', 'agents imports rooms above it'],
  'src/accounts/steps/one.ts': ['../../waitlist/rules/watches.ts', 'and no optional one'],
  'src/accounts/operations/one.ts': ['../../network.ts', 'a room imports none of them'],
  'src/accounts/loose.ts': ['../base/ids.ts', 'A file of a room has a layer'],
  'src/accounts/operations/two.ts': [
    '../../agents/room.ts',
    'Only src/network.ts imports a room.ts',
  ],
  'src/doors/rest/one.ts': ['../../web/page/html.ts', 'Doors are below the pages'],
  'src/web/site/one.ts': ['../../local/ports.ts', 'Pages know no servers of this machine'],
} as const

const right = {
  'src/bookings/operations/right.ts': '../steps/confirm-booking.ts',
  'src/bookings/steps/right.ts': '../store/bookings.ts',
  'src/bookings/store/right.ts': '../rules/booking.ts',
  'src/bookings/rules/right.ts': '../../base/ids.ts',
  'src/bookings/engine.ts': '../venues/store/venues.ts',
  'src/waitlist/hooks.ts': '../bookings/hooks.ts',
  'src/web/site/right.ts': '../../waitlist/rules/watches.ts',
  'src/doors/rest/right.ts': '../../network.ts',
  'src/compose/app.ts': '../web/site/right.ts',
} as const

test.each(Object.entries(wrong))('%s may not import %j', (path, [from, message]) => {
  const text = `import type { one } from '${from}'\nexport type two = one\n`
  expect(misplacedImports(path, text).join()).toContain(message)
})

test.each(Object.entries(right))('%s may import %s', (path, from) => {
  expect(misplacedImports(path, `export * from '${from}'\n`)).toEqual([])
})

test('a workflow that imports a store, and a cycle even of types, are reported', () => {
  const files = {
    'workflows/one.ts': "export * from '../src/bookings/store/bookings.ts'\n",
    'src/agents/ring.ts': "import type { Ring } from './ring-too.ts'\nexport type A = Ring\n",
    'src/agents/ring-too.ts': "import type { A } from './ring.ts'\nexport type Ring = A[]\n",
  }
  const folder = mkdtempSync(join(tmpdir(), 'import-orders-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
  write('biome.json', JSON.stringify({ ...config, plugins: [], vcs: { enabled: false } }))
  for (const [path, text] of Object.entries(files)) write(path, text)
  const reported = lint(folder)
  rmSync(folder, { recursive: true })
  expect(reported.get('workflows/one.ts')?.join()).toContain('Workflows are deterministic')
  for (const path of ['src/agents/ring.ts', 'src/agents/ring-too.ts']) {
    expect(reported.get(path)?.join()).toContain('noImportCycles')
  }
})

/** The linter's messages for each file in a folder. */
function lint(folder: string): Map<string, string[]> {
  const options = ['lint', '--reporter=json', '--max-diagnostics=none', '.']
  const biome = join(root, 'node_modules/.bin/biome')
  const { stdout } = spawnSync(biome, options, { cwd: folder })
  const { diagnostics } = JSON.parse(stdout.toString())
  const said = new Map<string, string[]>()
  for (const { location, message, category } of diagnostics) {
    const path = String(location.path?.file ?? location.path)
    said.set(path, [...(said.get(path) ?? []), `${category}: ${message}`])
  }
  return said
}
