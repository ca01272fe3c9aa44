import type { Sealer } from '../../platform/sealing/sealing.ts'

/** Keyed digests of an address, one per key, so that limits and opt-outs need not store it. */
export const addressDigests = ({ digests }: Pick<Sealer, 'digests'>, email: string): Buffer[] =>
  digests(`guest-mail ${email.trim().toLowerCase()}`)
