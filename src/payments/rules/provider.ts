/**
 * The provider's view of a charge. `open`: its page awaits the customer. `unknown`: no answer, so
 * the charge may have happened. `absent`: the provider never received it.
 */
export type Charge = {
  state: 'open' | 'processing' | 'succeeded' | 'failed' | 'unknown' | 'absent'
  /** the provider’s id for the charge, once there is one */
  providerId?: string | undefined
  /** the payment method that the customer saved for later charges */
  methodId?: string | undefined
  /** why it failed, in the provider’s term */
  reason?: string | undefined
}

/** A hosted page on which a customer pays, or just saves a payment method. */
type PageRequest = {
  /** the payment, or the setup if there is no amount */
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
  description: string
  /** the same whenever the same charge is sent, so that it happens once */
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

export type RefundRequest = Money & {
  refundId: string
  chargeId: string
  idempotencyKey: string
  at: Date
}

/** The provider's view of a refund, in the terms of `Charge`. */
export type Refunded = {
  state: 'processing' | 'succeeded' | 'failed' | 'unknown' | 'absent'
  providerId?: string | undefined
  reason?: string | undefined
}

/** An event from a provider. It only says which object to query the provider about. */
export type ProviderEvent = {
  id: string
  type: string
  paymentId: string | null
  refundId: string | null
  setupId: string | null
}

/** A provider's operations. A timeout counts as an answer: `unknown`. */
export type PaymentProvider = {
  /** `local` moves no money: it is for development */
  name: 'stripe' | 'local'
  createCustomer(of: { accountId: string; name: string }): Promise<string>
  openPage(page: PageRequest): Promise<{ id: string; url: string }>
  /** Stops a page from accepting payments. An earlier payment stays. */
  closePage(pageId: string): Promise<void>
  /** The payment method saved on a page without an amount; undefined until there is one. */
  readSetup(pageId: string): Promise<string | undefined>
  charge(charge: ChargeRequest): Promise<Charge>
  readCharge(charge: ChargeRef): Promise<Charge>
  refund(refund: RefundRequest): Promise<Refunded>
  readRefund(refund: RefundRequest & { providerId: string | null }): Promise<Refunded>
  /** Undefined unless the provider’s signature is valid and at most 5 minutes old. */
  readEvent?(body: Buffer, signature: string, at: Date): ProviderEvent | undefined
}
