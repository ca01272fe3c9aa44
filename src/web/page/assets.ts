import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../base/errors.ts'
import {
  type PreparedDocument,
  prepareDocument,
  sendPrepared,
} from '../../doors/http/prepared-document.ts'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

type Asset = {
  type: string
  bytes: Buffer
  version: string
  prepared?: Promise<PreparedDocument>
}

/** The typeface, one file per alphabet. Browsers load only the alphabets that a page uses. */
const fonts = ['latin', 'latin-ext', 'vietnamese'].map((alphabet): [string, Asset] => {
  const file = `inter-${alphabet}-wght-normal.woff2`
  const url = import.meta.resolve(`@fontsource-variable/inter/files/${file}`)
  return [`inter-${alphabet}.woff2`, assetOf('.woff2', readFileSync(fileURLToPath(url)))]
})
const versionedFonts = new Map(fonts.map(([name, { version }]) => [name, `${name}?v=${version}`]))

const files = new Map<string, Asset>([
  ...fonts,
  ...['styles', 'elements', 'pictures'].flatMap(readFolder),
])

function readFolder(folder: string): [string, Asset][] {
  const path = join(import.meta.dirname, '..', folder)
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const name = entry.isDirectory() ? `${entry.name}.css` : entry.name
    const extension = extname(name)
    if (!types[extension]) return []
    const file = join(path, entry.name)
    const bytes = entry.isDirectory() ? concatenated(file) : readFileSync(file)
    return [[name, assetOf(extension, extension === '.css' ? withFonts(bytes) : bytes)]]
  })
}

function assetOf(extension: string, bytes: Buffer): Asset {
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return { type: types[extension] ?? '', bytes, version }
}

/** Replaces each font file name in the styles with one that contains its version. */
function withFonts(styles: Buffer): Buffer {
  const text = styles.toString()
  return Buffer.from(
    text.replaceAll(/inter-[a-z-]+\.woff2/g, (name) => versionedFonts.get(name) ?? name),
  )
}

/** The files of a folder, concatenated in name order. */
function concatenated(folder: string): Buffer {
  const names = readdirSync(folder).sort()
  return Buffer.concat(names.map((name) => readFileSync(join(folder, name))))
}

/**
 * The address of a font or of a file in `styles`, `elements` or `pictures`; `base.css` is the
 * folder `base` as one file. It changes with the content, so browsers may cache it indefinitely.
 */
export function assetPath(name: string): string {
  const file = files.get(name)
  if (!file) throw new Error(`there is no asset ${name}`)
  return `/assets/${name}?v=${file.version}`
}

/** Serves the stylesheets, scripts, fonts, pictures and icon of the pages. */
export async function assets(scope: FastifyInstance) {
  type Route = { Params: { name: string }; Querystring: { v?: unknown } }
  scope.get<Route>('/assets/:name', async (request, reply) => {
    const file = files.get(request.params.name)
    if (!file) throw refuse('not_found')
    const isCurrent = request.query.v === file.version
    // Other sites show these pictures in previews of our links.
    if (file.type === 'image/png') reply.header('cross-origin-resource-policy', 'cross-origin')
    file.prepared ??= prepareDocument(file.type, file.bytes)
    const cacheControl = isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache'
    return sendPrepared(reply, await file.prepared, cacheControl)
  })
}
