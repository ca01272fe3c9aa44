import { fileURLToPath } from 'node:url'
import type { DataConverter } from '@temporalio/common'

/** The file that workers load into workflows; the bundle contains it. */
export const payloadConverterPath = fileURLToPath(
  new URL('./payload-converter.ts', import.meta.url),
)

/** How clients and workers encode and decode payloads. A payload codec would be added here. */
export const dataConverter: DataConverter = { payloadConverterPath }
