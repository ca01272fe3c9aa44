import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { texts } from '../../../base/languages.ts'
import { networkProfile } from '../../../base/network.ts'
import own from './words.json' with { type: 'json' }

/** MCP Apps 2026-01-26, "UI Resource Format". */
const MIME_TYPE = 'text/html;profile=mcp-app'
const ADDRESS = 'ui://slots/'

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')

const ofVenues = { staff: undefined, notices: undefined, whatsapp: undefined, people: undefined }
const others = { ...ofVenues, mail: undefined, mails: undefined, change: undefined }

/** The words of the guest's page in both languages, and those that only the view has. */
const wordsIn = (language: 0 | 1) =>
  Object.fromEntries(Object.entries(own).map(([name, texts]) => [name, texts[language]]))
const words = {
  en: { ...texts.en, ...others, ...wordsIn(0) },
  id: { ...texts.id, ...others, ...wordsIn(1) },
}

/** No text can end the script that contains it. */
const json = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

/** The scripts in one, as a view cannot load another. */
const scripts = ['host.js', 'page.js', 'slots.js']
  .map((file) => read(file).replaceAll(/^import [^']+'.+'$|^export /gm, ''))
  .join('')

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${networkProfile.name}</title>
<style>${read('slots.css')}</style>
<main></main>
<p role="status"></p>
<script type="application/json" id="words">${json(words)}</script>
<script type="module">${scripts}</script>
</html>`

/** Hosts keep a view by its address, so the address changes with the view. */
const uri = `${ADDRESS}${createHash('sha256').update(html).digest('hex').slice(0, 4)}`

/** The view loads nothing, and says so to hosts: no domain is listed. */
const _meta = { ui: { csp: {}, prefersBorder: true } }

const view = {
  name: 'slots',
  title: 'Free times and bookings',
  description: 'Venues with their free times as buttons, and a booking with what can be done.',
  mimeType: MIME_TYPE,
  _meta,
}

/** `resources/list`: the one view. */
export const resources = [{ uri, ...view }]

/** `resources/read`; addresses of other releases, too, because hosts keep lists of tools. */
export const resourceContents = (address: string) =>
  address.startsWith(ADDRESS)
    ? [{ uri: address, mimeType: MIME_TYPE, text: html, _meta }]
    : undefined

const shown = new Set([
  ...['search_venues', 'list_venues', 'get_venue', 'check_availability'],
  ...['hold_slot', 'confirm_booking', 'get_booking', 'cancel_booking', 'answer_offer'],
])

/** The `_meta` of a tool whose results the view shows (MCP Apps, "Resource Discovery"). */
export const viewOf = (tool: string) =>
  shown.has(tool) ? { _meta: { ui: { resourceUri: uri } } } : {}
