/** How its owner recognises a card. */
export type Card = { brand: string; last4: string }

/** A payment method that a customer saved; without `card`, it is something else. */
export type SavedMethod = { id: string; card?: Card | undefined }

/**
 * The provider's view of a charge. `open`: its page awaits the customer. `authorized`: reserved,
 * until it is captured or released. `unknown`: no answer, so the charge may have happened.
 * `absent`: the provider never received it.
 */
export type Charge = {
  state: 'open' | 'processing' | 'authorized' | 'succeeded' | 'failed' | 'unknown' | 'absent'
  /** the provider’s id for the charge, once there is one */
  providerId?: string | undefined
  /** what was taken, which a capture may have settled before its answer was lost */
  amountMinor?: number | undefined
  /** the payment method that the customer saved for later charges */
  method?: SavedMethod | undefined
  /** why it failed, as one of the provider’s codes */
  reason?: string | undefined
}

/** A hosted page on which a customer pays, or just saves a payment method. */
type PageRequest = {
  /** the id of the payment or, if there is no amount, of the setup */
  id: string
  customerId: string
  pays: (Money & { description: string }) | null
  /** where the page sends the customer afterwards */
  returnUrl: string
  at: Date
}

type Money = { amountMinor: number; currency: string }

/** A charge to a saved payment method. */
type ChargeRequest = Money & {
  paymentId: string
  customerId: string
  methodId: string
  /** only reserves the amount, until `finish` */
  isReserved: boolean
  description: string
  /** the same whenever the same charge is sent, so that it happens only once */
  idempotencyKey: string
  at: Date
}

/** What identifies a charge to a provider. */
type ChargeRef = {
  paymentId: string
  customerId: string
  pageId: string | null
  providerId: string | null
  at: Date
}

/** `amountMinor` is what a capture takes, at most what is authorised. */
type Authorized = Money & { paymentId: string; providerId: string; at: Date }

export type RefundRequest = Money & {
  refundId: string
  chargeId: string
  idempotencyKey: string
  at: Date
}

/** The provider's view of a refund; the states mean the same as in `Charge`. */
export type Refunded = {
  state: 'processing' | 'succeeded' | 'failed' | 'unknown' | 'absent'
  providerId?: string | undefined
  reason?: string | undefined
}

/** An event from a provider, used only to learn which object to query the provider about. */
export type ProviderEvent = {
  id: string
  type: string
  paymentId: string | null
  refundId: string | null
  setupId: string | null
}

/** A provider's operations. A timeout counts as the answer `unknown`. */
export type PaymentProvider = {
  /** `local` is for development and moves no money */
  name: 'stripe' | 'local'
  createCustomer(of: { accountId: string; name: string }): Promise<string>
  openPage(page: PageRequest): Promise<{ id: string; url: string }>
  /** Stops a page from accepting payments. An earlier payment remains valid. */
  closePage(pageId: string): Promise<void>
  /** The payment method saved on a page without an amount; undefined until one is saved. */
  readSetup(pageId: string): Promise<SavedMethod | undefined>
  charge(charge: ChargeRequest): Promise<Charge>
  readCharge(charge: ChargeRef): Promise<Charge>
  /** Captures an authorised amount, or releases it. Repeating this changes nothing more. */
  finish(how: 'capture' | 'release', charge: Authorized): Promise<Charge>
  refund(refund: RefundRequest): Promise<Refunded>
  readRefund(refund: RefundRequest & { providerId: string | null }): Promise<Refunded>
  /** Undefined unless the provider’s signature is valid and at most 5 minutes old. */
  readEvent?(body: Buffer, signature: string, at: Date): ProviderEvent | undefined
}
