import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { breakingChanges } from './breaking-changes.ts'
import { doorDocuments } from './documents.ts'
import { intentSurfaces, restSurfaces } from './surfaces.ts'

const root = resolve(import.meta.dirname, '../..')

type Recording = { write?: true | undefined; breaking?: true | undefined }

/**
 * Compares the doors with `openapi.json` and `intents.json`; returns problems, one line each. With
 * `write` the files are updated, for a breaking change only with `breaking` as well.
 */
export function checkDoors({ write, breaking }: Recording): string[] {
  const now = doorDocuments()
  const files = { openapi: readDocument('openapi.json'), intents: readDocument('intents.json') }
  const breaks = [
    ...breakingChanges(restSurfaces(files.openapi.content), restSurfaces(now.openapi)),
    ...breakingChanges(intentSurfaces(files.intents.content), intentSurfaces(now.intents)),
  ]
  if (breaks.length > 0 && !breaking) {
    return [
      'Breaking changes:',
      ...breaks.map((text) => `  ${text}`),
      'If intended: npm run check -- --write --breaking, and a line in CHANGELOG.md.',
    ]
  }
  const stale = (['openapi', 'intents'] as const).filter(
    (name) => textOf(now[name]) !== files[name].text,
  )
  if (!write) return stale.map((name) => `${name}.json is out of date. ${howToRecord}`)
  for (const name of stale) writeFileSync(files[name].path, textOf(now[name]))
  return []
}

export const howToRecord = 'Update it: npm run check -- --write'

function readDocument(name: string) {
  const path = join(root, name)
  const text = readFileSync(path, 'utf8')
  return { path, text, content: JSON.parse(text) }
}

const textOf = (document: unknown) => `${JSON.stringify(document, null, 1)}\n`
