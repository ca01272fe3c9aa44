/** The engine's ceiling: one workflow task and nothing else. */
export async function empty(): Promise<void> {}
