import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The first one uses a third of the CPU time of the second. */
const programs = ['chromium-headless-shell', 'chromium']

/** The Chromium in CHROMIUM or on the PATH; throws with advice if there is none. */
export const openChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium() })

/** The path of the program that `openChromium` starts. */
export function findChromium(): string {
  const { CHROMIUM, PATH = '' } = process.env
  const folders = PATH.split(delimiter)
  const installed = programs
    .flatMap((program) => folders.map((folder) => join(folder, program)))
    .find((file) => existsSync(file))
  const program = CHROMIUM || installed
  if (program) return program
  throw new Error(
    'Browser tests need Chromium: install it (`apt-get install chromium`), ' +
      'or set CHROMIUM to its program.',
  )
}
