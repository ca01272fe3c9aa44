/** What the workflow of a payment starts with: its id, and what it pays for people to read. */
export type SettlementStart = { paymentId: string; text: string }

export const SETTLED_UPDATE = 'settled'

/** One workflow per payment for what an account owes. */
export const settlementWorkflowId = (paymentId: string): string => `payment/${paymentId}`
