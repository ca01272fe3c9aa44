import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../contract/rules/errors.ts'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

type Asset = { type: string; bytes: Buffer; version: string }

const files = new Map<string, Asset>(['styles', 'elements'].flatMap(readFolder))

function readFolder(folder: string): [string, Asset][] {
  const path = join(import.meta.dirname, folder)
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const name = entry.isDirectory() ? `${entry.name}.css` : entry.name
    const type = types[extname(name)]
    if (!type) return []
    const bytes = bytesOf(join(path, entry.name), entry.isDirectory())
    const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    return [[name, { type, bytes, version }]]
  })
}

/** A file, or the files of a folder in the order of their names as one. */
function bytesOf(path: string, isFolder: boolean): Buffer {
  if (!isFolder) return readFileSync(path)
  return Buffer.concat(
    readdirSync(path)
      .sort()
      .map((name) => readFileSync(join(path, name))),
  )
}

/** The address of a file in `styles` or `elements` (`base.css` for the folder `base`); it changes with the content, so that browsers may keep what it answers. */
export function assetPath(name: string): string {
  const file = files.get(name)
  if (!file) throw new Error(`there is no asset ${name}`)
  return `/assets/${name}?v=${file.version}`
}

/** Stylesheets, scripts and the icon of the pages. */
export async function assets(scope: FastifyInstance) {
  type Route = { Params: { name: string }; Querystring: { v?: unknown } }
  scope.get<Route>('/assets/:name', async (request, reply) => {
    const file = files.get(request.params.name)
    if (!file) throw refuse('not_found')
    const isCurrent = request.query.v === file.version
    return reply
      .type(file.type)
      .header('cache-control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache')
      .send(file.bytes)
  })
}
