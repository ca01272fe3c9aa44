import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataPackages } from './bill.ts'
import { refuse } from './walk.ts'

const DATA = 'src/venues/search/data'
/** How NOTICE names the licences of the table in the folder's README. */
const LICENCES: Record<string, string> = {
  'CC BY 4.0': 'creativecommons.org/licenses/by/4.0/',
  'CC BY-SA 4.0': 'creativecommons.org/licenses/by-sa/4.0/',
  ISC: 'the ISC License',
}

/** NOTICE names each source and licence of data, and each package that is data or a typeface. */
export async function checkNotice(root: string): Promise<string> {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const notice = read('NOTICE').replaceAll(/\s+/g, ' ')
  const sources = [...fileSources(root), ...buildSources(read('tools/search-data/build.py'))]
  const packages = await dataPackages(root)
  const names = [...sources, ...packages.flatMap(({ name, licence }) => [name, licence])]
  refuse([...new Set(names)].filter((name) => !notice.includes(name)).map((name) => `name ${name}`))
  return `${sources.length} names of data, ${packages.map(({ name }) => name).join(' and ')}`
}

/** What NOTICE must say of the folder: each file made from others' data, source and licence. */
function fileSources(root: string): string[] {
  const readme = readFileSync(join(root, DATA, 'README.md'), 'utf8')
  const rows = readme.match(/^\| `.*$/gm) ?? []
  const unknown = readdirSync(join(root, DATA)).filter((file) => !readme.includes(`\`${file}\``))
  const missing = unknown.filter((file) => file !== 'README.md')
  if (missing.length > 0) throw new Error(`say in ${DATA}/README.md whence ${missing} comes`)
  return rows.flatMap((row) => {
    const [, file = '', , from = '', licence = ''] = row.split('|').map((cell) => cell.trim())
    const link = LICENCES[licence]
    if (!link) throw new Error(`add ${licence} to tools/release/notice.ts, and its text to NOTICE`)
    const urls = [...from.matchAll(/\((https:[^)]+)\)/g)].map(([, url = '']) => url)
    return [`${DATA}/${file.replaceAll('`', '')}`, ...urls, link]
  })
}

/** The data sets that the script is run with: `name==version` and `name@version`. */
const buildSources = (script: string): string[] =>
  [...script.matchAll(/(?<![\w/])(?:@[\w-]+\/)?([\w.-]+)(?:==|@)\d+\.\d/g)].map(
    ([, name = '']) => name,
  )
