import { z } from 'zod'

const hex = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`))
    .toLowerCase()
const uint = z.string().regex(/^\d{1,30}$/)
/** Seconds since 1970, within the range of dates that every language supports. */
const seconds = z.string().regex(/^\d{1,12}$/)

/** An EIP-3009 authorisation with its signature. */
const authorized = z.object({
  signature: z.string().regex(/^0x[0-9a-fA-F]{130,8000}$/),
  authorization: z.object({
    from: hex(40),
    to: hex(40),
    value: uint,
    validAfter: seconds,
    validBefore: seconds,
    nonce: hex(64),
  }),
})

/** x402 v2: an entry in the `accepts` of a 402. */
const requirements = z.strictObject({
  scheme: z.string(),
  network: z.templateLiteral([z.string(), ':', z.string()]),
  amount: z.string(),
  asset: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number(),
  extra: z.record(z.string(), z.unknown()),
})
export type Requirements = z.output<typeof requirements>

/** A payment as sent by a client, in version 1 or 2 of the protocol. */
export const sentPayment = z.union([
  z.object({ x402Version: z.literal(2), accepted: requirements, payload: authorized }),
  z.object({
    x402Version: z.literal(1),
    scheme: z.string(),
    network: z.string(),
    payload: authorized,
  }),
])

/** x402 v2 `SettleResponse`. */
export const settleResponse = z.object({
  success: z.boolean(),
  transaction: z.string(),
  network: z.string(),
  payer: z.string().optional(),
  amount: z.string().optional(),
  errorReason: z.string().optional(),
})
export type SettleResponse = z.output<typeof settleResponse>

/** x402 v2 `VerifyResponse`. */
export const verifyResponse = z.object({
  isValid: z.boolean(),
  invalidReason: z.string().optional(),
})
