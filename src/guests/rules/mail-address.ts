import type { Sealer } from '../../platform/sealing/sealing.ts'

/** Keyed digests of an address, one per key: how limits and stops know it without keeping it. */
export const addressDigests = ({ digests }: Pick<Sealer, 'digests'>, email: string): Buffer[] =>
  digests(`guest-mail ${email.trim().toLowerCase()}`)
