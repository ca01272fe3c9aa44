import { type Capability, capability } from '../contract/capability.ts'
import { readGuarantee } from './operations/read-guarantee.ts'

/** What the network promises, and what it has credited. */
export const guaranteeCapabilities: readonly Capability[] = [
  capability(readGuarantee, 'GET /api/guarantee', 'guarantee.get', {}),
]
