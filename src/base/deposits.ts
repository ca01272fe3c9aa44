/** `guarantee`: the guest leaves a card with the venue, and pays only if it is kept. */
export const depositKinds = ['deposit', 'guarantee'] as const
export const depositUnits = ['guest', 'party'] as const
