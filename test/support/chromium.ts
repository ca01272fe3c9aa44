import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The Chromium in CHROMIUM or on the PATH; throws with advice if there is none. */
export const openChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium() })

function findChromium(): string {
  const { CHROMIUM, PATH = '' } = process.env
  const found =
    CHROMIUM ||
    PATH.split(delimiter)
      .map((folder) => join(folder, 'chromium'))
      .find((file) => existsSync(file))
  if (found) return found
  throw new Error(
    'Browser tests need Chromium: install it (`apt-get install chromium`), ' +
      'or set CHROMIUM to its program.',
  )
}
