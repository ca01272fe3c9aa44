/** `guarantee`: the guest leaves a card with the venue and pays only if the venue charges it. */
export const depositKinds = ['deposit', 'guarantee'] as const
export const depositUnits = ['guest', 'party'] as const
