import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { outputOf } from './output-of.ts'
import { versionOf } from './tag.ts'

type Licence = { license?: { id?: string; name?: string }; expression?: string }
type Bill = {
  metadata: { component: { version: string } }
  components: { name: string; version: string; licenses?: Licence[] }[]
}

/** Writes the bill of materials of what is installed without development tools (CycloneDX). */
export async function writeBill(root: string, out: string): Promise<string> {
  const version = versionOf(root)
  const text = await readBill(root)
  const { metadata, components } = JSON.parse(text) as Bill
  if (metadata.component.version !== version) {
    throw new Error(`package-lock.json has version ${metadata.component.version}: npm install`)
  }
  const unlicensed = components.filter(({ licenses = [] }) => licenses.length === 0)
  if (unlicensed.length > 0) {
    const names = unlicensed.map((one) => `${one.name}@${one.version}`)
    throw new Error(`find out the licences of ${names.join(', ')}`)
  }
  const file = join(out, `venue-network-${version}.cdx.json`)
  writeFileSync(file, `${text}\n`)
  return `${components.length} packages, all with a licence, in ${relative(root, file)}`
}

/** Licences of data and typefaces, which NOTICE names. */
const OF_DATA = /^(?:OFL|CC|ODbL|ODC)/

/** The packages under such a licence. */
export async function dataPackages(root: string): Promise<{ name: string; licence: string }[]> {
  const { components } = JSON.parse(await readBill(root)) as Bill
  return components.flatMap(({ name, licenses = [] }) => {
    const [licence] = licenses.map(idOf).filter((id) => OF_DATA.test(id))
    return licence ? [{ name, licence }] : []
  })
}

const readBill = (root: string) =>
  outputOf(root, 'npm', [
    ...['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'],
  ])

const idOf = ({ license, expression }: Licence) => license?.id ?? license?.name ?? expression ?? ''
